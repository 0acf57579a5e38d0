/** The built-in kinds that are stored and that nothing acts on, by group; pods also need to know ServiceAccounts. */
import type { ResourceDefinition } from '@tributary/server';
import {
  controllerRevisionKind,
  daemonSetKind,
  replicaSetKind,
  statefulSetKind,
} from './apps/apps.ts';
import { horizontalPodAutoscalerKind } from './autoscaling/horizontal-pod-autoscaler/kind.ts';
import { cronJobKind, jobKind } from './batch/batch.ts';
import { nodeKind, podTemplateKind, replicationControllerKind } from './core/core.ts';
import { limitRangeKind, resourceQuotaKind } from './core/quotas.ts';
import { persistentVolumeClaimKind, persistentVolumeKind } from './core/volumes.ts';
import { ingressClassKind, ingressKind } from './networking/networking.ts';
import { podDisruptionBudgetKind } from './policy/pod-disruption-budget/kind.ts';
import { priorityClassKind, runtimeClassKind } from './shared/classes.ts';
import { csiDriverKind, csiNodeKind, csiStorageCapacityKind } from './storage/csi.ts';
import {
  storageClassKind,
  volumeAttachmentKind,
  volumeAttributesClassKind,
} from './storage/storage.ts';

export { bindingKind } from './core/pod/binding.ts';
export { type PodParts, podKind } from './core/pod/kind.ts';

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
