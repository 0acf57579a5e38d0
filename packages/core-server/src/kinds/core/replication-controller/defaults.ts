import type { ReplicationController } from '@tributary/api/core-v1';
import { defaultPodSpec } from '../pod-template/defaults.ts';

export function defaultReplicationController({ metadata, spec }: ReplicationController): void {
  spec.replicas ??= 1;
  const labels = spec.template?.metadata.labels;
  if (labels !== undefined) {
    if (Object.keys(spec.selector ?? {}).length === 0) spec.selector = labels;
    if (Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = labels;
  }
  if (spec.template) defaultPodSpec(spec.template.spec);
}
