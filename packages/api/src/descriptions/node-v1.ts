/** Words for `kubectl explain`, by type and by field. */
export const descriptions = (): Readonly<Record<string, string>> => ({
  RuntimeClass: 'A way to run containers that pods can ask for by name.',
  'RuntimeClass.handler': 'What the container runtime of a node calls it. It cannot be changed.',
  'RuntimeClass.overhead': 'What a pod of this class needs beside its containers.',
  'RuntimeClass.scheduling': 'Which nodes can run it. Empty: all of them.',
  Overhead: 'What running a pod costs by itself.',
  'Overhead.podFixed': 'Resources for each pod, by name.',
  Scheduling: 'Where pods of a class may run.',
  'Scheduling.nodeSelector': 'Labels that a node must have, in addition to those of the pod.',
  'Scheduling.tolerations': 'Taints that pods of this class are not kept away by.',
});
