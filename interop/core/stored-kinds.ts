/** Kinds that nothing acts on: they are stored, and answered as the original answers them. */
import type { Kind } from './kinds.ts';

const NAMESPACED: Readonly<Record<string, readonly (readonly [kind: string, plural: string])[]>> = {
  v1: [
    ['Pod', 'pods'],
    ['PodTemplate', 'podtemplates'],
    ['ReplicationController', 'replicationcontrollers'],
    ['PersistentVolumeClaim', 'persistentvolumeclaims'],
    ['ResourceQuota', 'resourcequotas'],
    ['LimitRange', 'limitranges'],
  ],
  'apps/v1': [
    ['ReplicaSet', 'replicasets'],
    ['StatefulSet', 'statefulsets'],
    ['DaemonSet', 'daemonsets'],
    ['ControllerRevision', 'controllerrevisions'],
  ],
  'batch/v1': [
    ['Job', 'jobs'],
    ['CronJob', 'cronjobs'],
  ],
  'autoscaling/v2': [['HorizontalPodAutoscaler', 'horizontalpodautoscalers']],
  'networking.k8s.io/v1': [['Ingress', 'ingresses']],
  'policy/v1': [['PodDisruptionBudget', 'poddisruptionbudgets']],
  'storage.k8s.io/v1': [['CSIStorageCapacity', 'csistoragecapacities']],
};

const OF_THE_CLUSTER: typeof NAMESPACED = {
  v1: [
    ['PersistentVolume', 'persistentvolumes'],
    ['Node', 'nodes'],
  ],
  'networking.k8s.io/v1': [['IngressClass', 'ingressclasses']],
  'storage.k8s.io/v1': [
    ['StorageClass', 'storageclasses'],
    ['VolumeAttachment', 'volumeattachments'],
    ['VolumeAttributesClass', 'volumeattributesclasses'],
    ['CSIDriver', 'csidrivers'],
    ['CSINode', 'csinodes'],
  ],
  'scheduling.k8s.io/v1': [['PriorityClass', 'priorityclasses']],
  'node.k8s.io/v1': [['RuntimeClass', 'runtimeclasses']],
};

export const storedKinds: readonly Kind[] = [
  ...kindsOf(NAMESPACED, true),
  ...kindsOf(OF_THE_CLUSTER, false),
];

function kindsOf(table: typeof NAMESPACED, namespaced: boolean): Kind[] {
  return Object.entries(table).flatMap(([apiVersion, list]) =>
    list.map(([kind, plural]) => ({ id: plural, kind, apiVersion, plural, namespaced })),
  );
}
