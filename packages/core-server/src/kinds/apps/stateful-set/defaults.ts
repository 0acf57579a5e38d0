import type { StatefulSet } from '@tributary/api/apps-v1';
import { defaultPodSpec } from '../../core/pod-template/defaults.ts';

const REVISIONS = 10;

export function defaultStatefulSet({ spec }: StatefulSet): void {
  spec.podManagementPolicy ||= 'OrderedReady';
  if (!spec.updateStrategy.type) {
    spec.updateStrategy.type = 'RollingUpdate';
    spec.updateStrategy.rollingUpdate ??= {};
  }
  const { type, rollingUpdate } = spec.updateStrategy;
  if (type === 'RollingUpdate' && rollingUpdate) {
    rollingUpdate.partition ??= 0;
    rollingUpdate.maxUnavailable ??= 1;
  }
  spec.persistentVolumeClaimRetentionPolicy ??= {};
  spec.persistentVolumeClaimRetentionPolicy.whenDeleted ||= 'Retain';
  spec.persistentVolumeClaimRetentionPolicy.whenScaled ||= 'Retain';
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= REVISIONS;
  defaultPodSpec(spec.template.spec);
  for (const claim of spec.volumeClaimTemplates ?? []) {
    claim.apiVersion = 'v1';
    claim.kind = 'PersistentVolumeClaim';
    claim.status.phase ||= 'Pending';
    claim.spec.volumeMode ??= 'Filesystem';
  }
}
