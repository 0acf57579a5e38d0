/** Words for `kubectl explain`, by type and by field. */
export const descriptions = (): Readonly<Record<string, string>> => ({
  PriorityClass: 'How much pods of this class matter beside others.',
  'PriorityClass.value': 'The more, the sooner a pod is placed. It cannot be changed.',
  'PriorityClass.globalDefault': 'Whether pods that name no class get this one.',
  'PriorityClass.description': 'When people should use it.',
  'PriorityClass.preemptionPolicy':
    'PreemptLowerPriority, or Never: whether pods of lower priority make room for these.',
});
