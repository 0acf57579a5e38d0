import type { DaemonSet } from '@tributary/api/apps-v1';
import { defaultPodSpec } from '../../core/pod-template/defaults.ts';

const REVISIONS = 10;

/** The annotation that counted template changes before `metadata.generation` existed. */
export const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

export function setTemplateGeneration({ metadata }: DaemonSet, generation: number): void {
  metadata.annotations = { ...metadata.annotations, [TEMPLATE_GENERATION]: String(generation) };
}

export function defaultDaemonSet({ metadata, spec }: DaemonSet): void {
  metadata.annotations = { [TEMPLATE_GENERATION]: '1', ...metadata.annotations };
  spec.updateStrategy.type ||= 'RollingUpdate';
  if (spec.updateStrategy.type === 'RollingUpdate') {
    spec.updateStrategy.rollingUpdate ??= {};
    spec.updateStrategy.rollingUpdate.maxUnavailable ??= 1;
    spec.updateStrategy.rollingUpdate.maxSurge ??= 0;
  }
  spec.revisionHistoryLimit ??= REVISIONS;
  defaultPodSpec(spec.template.spec);
}
