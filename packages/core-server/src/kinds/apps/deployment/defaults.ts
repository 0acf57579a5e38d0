import type { Deployment } from '@tributary/api/apps-v1';
import { defaultPodSpec } from '../../core/pod-template/defaults.ts';

const REPLICAS = 1;
const SHARE = '25%';
const REVISIONS = 10;
const PROGRESS_SECONDS = 600;

export function defaultDeployment({ spec }: Deployment): void {
  spec.replicas ??= REPLICAS;
  spec.strategy.type ||= 'RollingUpdate';
  if (spec.strategy.type === 'RollingUpdate') {
    spec.strategy.rollingUpdate ??= {};
    spec.strategy.rollingUpdate.maxUnavailable ??= SHARE;
    spec.strategy.rollingUpdate.maxSurge ??= SHARE;
  }
  spec.revisionHistoryLimit ??= REVISIONS;
  spec.progressDeadlineSeconds ??= PROGRESS_SECONDS;
  defaultPodSpec(spec.template.spec);
}
