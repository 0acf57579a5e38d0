/** The built-in kinds that are stored and that nothing acts on, by group; pods also need to know ServiceAccounts. */
import type { ResourceDefinition } from '@tributary/server';
import { controllerRevisionKind, daemonSetKind, replicaSetKind, statefulSetKind } from './apps.ts';
import { horizontalPodAutoscalerKind } from './autoscaling.ts';
import { cronJobKind, jobKind } from './batch.ts';
import { priorityClassKind, runtimeClassKind } from './classes.ts';
import { nodeKind, podTemplateKind, replicationControllerKind } from './core.ts';
import { csiDriverKind, csiNodeKind, csiStorageCapacityKind } from './csi.ts';
import { ingressClassKind, ingressKind } from './networking.ts';
import { podDisruptionBudgetKind } from './policy.ts';
import { limitRangeKind, resourceQuotaKind } from './quotas.ts';
import { storageClassKind, volumeAttachmentKind, volumeAttributesClassKind } from './storage.ts';
import { persistentVolumeClaimKind, persistentVolumeKind } from './volumes.ts';

export { bindingKind } from '../pod/pod-binding.ts';
export { type PodParts, podKind } from './pods.ts';

export const storedKinds = {
  core: [
    limitRangeKind,
    nodeKind,
    persistentVolumeClaimKind,
    persistentVolumeKind,
    podTemplateKind,
    replicationControllerKind,
    resourceQuotaKind,
  ],
  apps: [controllerRevisionKind, daemonSetKind, replicaSetKind, statefulSetKind],
  autoscaling: [horizontalPodAutoscalerKind],
  batch: [cronJobKind, jobKind],
  networking: [ingressClassKind, ingressKind],
  policy: [podDisruptionBudgetKind],
  storage: [
    csiDriverKind,
    csiNodeKind,
    csiStorageCapacityKind,
    storageClassKind,
    volumeAttachmentKind,
    volumeAttributesClassKind,
  ],
  scheduling: [priorityClassKind],
  node: [runtimeClassKind],
} as const satisfies Readonly<Record<string, readonly ResourceDefinition[]>>;
