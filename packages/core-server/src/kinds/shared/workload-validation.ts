import type { PodTemplateSpec } from '@tributary/api/core-v1';
import type { LabelSelector } from '@tributary/api/meta-v1';
import {
  type FieldError,
  type FieldPath,
  fieldError,
  goJson,
  goText,
  root,
} from '@tributary/apimachinery';
import { selectorOf, validateSelectorTerms } from '../../rbac/label-selector-terms.ts';
import { notNegative } from '../core/pod-template/validate-probes.ts';
import { validatePodTemplate } from '../core/pod-template/validation.ts';

/** The selector as JSON, with fields in the order of Go's struct. */
export function goSelector(selector: LabelSelector | null | undefined) {
  if (!selector) return null;
  const { matchLabels, matchExpressions } = selector;
  const members = Object.entries({ matchLabels, matchExpressions })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `"${name}":${goJson(value)}`);
  return goText(`{${members.join()}}`);
}

export interface SelectionRules {
  /** The name of the kind in the error of an empty selector. */
  readonly of: string;
  /** The selector is optional; without one, nothing is selected. */
  readonly mayBeMissing?: true;
}

/** Validates the selector, the template, and that they match. */
export function validateSelection(
  spec: { readonly selector?: LabelSelector | null; readonly template: PodTemplateSpec },
  path: FieldPath,
  { of, mayBeMissing }: SelectionRules,
): FieldError[] {
  const { selector, template } = spec;
  const fieldPath = path.child('selector');
  const errors: FieldError[] = [];
  if (!selector) {
    if (!mayBeMissing) errors.push(fieldError.required(fieldPath));
  } else {
    errors.push(...validateSelectorTerms(selector, fieldPath));
    const { matchLabels = {}, matchExpressions = [] } = selector;
    if (Object.keys(matchLabels).length + matchExpressions.length === 0) {
      const detail = `empty selector is invalid for ${of}`;
      errors.push(fieldError.invalid(fieldPath, goSelector(selector), detail));
    }
  }
  const parsed = selectorOf(selector ?? {});
  if (parsed === undefined) return errors;
  const at = path.child('template');
  const { labels } = template.metadata;
  if (!selector || !parsed.matches(labels)) {
    const detail = '`selector` does not match template `labels`';
    errors.push(fieldError.invalid(at.child('metadata', 'labels'), labels ?? null, detail));
  }
  return [...errors, ...validatePodTemplate(template, at), ...validateAlwaysRestarts(template, at)];
}

/** Pods of controllers that replace them must always restart. */
export function validateAlwaysRestarts({ spec }: PodTemplateSpec, path: FieldPath): FieldError[] {
  const { restartPolicy = '', activeDeadlineSeconds } = spec;
  const errors: FieldError[] = [];
  if (restartPolicy !== 'Always' && restartPolicy !== '') {
    const fieldPath = path.child('spec', 'restartPolicy');
    errors.push(fieldError.notSupported(fieldPath, restartPolicy, ['Always']));
  }
  if (activeDeadlineSeconds !== undefined) {
    const detail = 'activeDeadlineSeconds in ReplicaSet is not Supported';
    errors.push(fieldError.forbidden(path.child('spec', 'activeDeadlineSeconds'), detail));
  }
  return errors;
}

interface Counts {
  readonly replicas?: number;
  readonly fullyLabeledReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly currentReplicas?: number;
  readonly updatedReplicas?: number;
  readonly observedGeneration?: number | bigint;
}

const PARTS = [
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'currentReplicas',
  'updatedReplicas',
] as const;

const STATUS = root('status');

/** No number exceeds `replicas`, and available replicas are ready. */
export function validateReplicaStatus(status: Counts): FieldError[] {
  const { replicas = 0, readyReplicas = 0, availableReplicas = 0 } = status;
  const errors = (['replicas', ...PARTS, 'observedGeneration'] as const).flatMap((name) =>
    notNegative(STATUS.child(name), status[name]),
  );
  for (const name of PARTS) {
    const part = status[name] ?? 0;
    if (part <= replicas) continue;
    const detail = 'cannot be greater than status.replicas';
    errors.push(fieldError.invalid(STATUS.child(name), part, detail));
  }
  if (availableReplicas > readyReplicas) {
    const detail = 'cannot be greater than readyReplicas';
    errors.push(fieldError.invalid(STATUS.child('availableReplicas'), availableReplicas, detail));
  }
  return errors;
}
