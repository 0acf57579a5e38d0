import type { ReplicationControllerSpec } from '@tributary/api/core-v1';
import { declarative, type FieldError, fieldError, root } from '@tributary/apimachinery';
import { selectorOf } from '../../../rbac/label-selector-terms.ts';
import { validateAlwaysRestarts } from '../../shared/workload-validation.ts';
import { notNegative } from '../pod-template/validate-probes.ts';
import { validatePodTemplate } from '../pod-template/validation.ts';

const SPEC = root('spec');

export function validateReplicationController(spec: ReplicationControllerSpec): FieldError[] {
  const { selector = {}, template } = spec;
  const at = SPEC.child('template');
  const errors = [
    ...notNegative(SPEC.child('replicas'), spec.replicas).map(declarative),
    ...notNegative(SPEC.child('minReadySeconds'), spec.minReadySeconds).map(declarative),
    ...(Object.keys(selector).length === 0 ? [fieldError.required(SPEC.child('selector'))] : []),
  ];
  if (!template) return [...errors, fieldError.required(at)];
  const { labels } = template.metadata;
  if (!selectorOf({ matchLabels: selector })?.matches(labels)) {
    const detail = '`selector` does not match template `labels`';
    errors.push(fieldError.invalid(at.child('metadata', 'labels'), labels ?? null, detail));
  }
  return [...errors, ...validatePodTemplate(template, at), ...validateAlwaysRestarts(template, at)];
}
