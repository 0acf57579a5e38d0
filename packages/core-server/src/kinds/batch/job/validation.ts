import { isDeepStrictEqual } from 'node:util';
import type { Job, JobSpec } from '@tributary/api/batch-v1';
import {
  type FieldError,
  type FieldPath,
  fieldError,
  fieldImmutable,
  root,
} from '@tributary/apimachinery';
import { selectorOf, validateSelectorTerms } from '../../../rbac/label-selector-terms.ts';
import { notNegative } from '../../core/pod-template/validate-probes.ts';
import { validatePodTemplate } from '../../core/pod-template/validation.ts';
import { goSelector } from '../../shared/workload-validation.ts';

const SPEC = root('spec');

export const CONTROLLER_UID = 'batch.kubernetes.io/controller-uid';

export function validateJob({ metadata, spec }: Job): FieldError[] {
  const errors = validateJobSpec(spec, SPEC);
  const path = SPEC.child('selector');
  const { selector, template } = spec;
  if (!selector) return [fieldError.required(path), ...errors];
  const found = validateSelectorTerms(selector, path);
  const { labels } = template.metadata;
  const generated = { matchLabels: { [CONTROLLER_UID]: metadata.uid ?? '' } };
  if (!spec.manualSelector && metadata.uid && !isDeepStrictEqual({ ...selector }, generated)) {
    found.push(fieldError.invalid(path, goSelector(selector), '`selector` not auto-generated'));
  }
  if (!selectorOf(selector)?.matches(labels)) {
    const fieldPath = SPEC.child('template', 'metadata', 'labels');
    found.push(
      fieldError.invalid(fieldPath, labels ?? null, '`selector` does not match template `labels`'),
    );
  }
  return [...errors, ...found];
}

export function validateJobSpec(spec: JobSpec, path: FieldPath): FieldError[] {
  const numbers = [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
  ] as const;
  const at = path.child('template');
  return [
    ...numbers.flatMap((name) => notNegative(path.child(name), spec[name])),
    ...validatePodTemplate(spec.template, at),
    ...validateRestartPolicy(spec.template.spec.restartPolicy, at.child('spec', 'restartPolicy')),
  ];
}

/** The pods of a job must end. Upstream's message depends on whether the policy is known. */
function validateRestartPolicy(policy = '', path: FieldPath): FieldError[] {
  if (policy === 'OnFailure' || policy === 'Never') return [];
  return policy === '' || policy === 'Always'
    ? [fieldError.required(path, 'valid values: "OnFailure", "Never"')]
    : [fieldError.notSupported(path, policy, ['OnFailure', 'Never'])];
}

export function validateJobChange(next: JobSpec, live: JobSpec): FieldError[] {
  const errors = (['completions', 'selector', 'completionMode'] as const)
    .filter((name) => !isDeepStrictEqual(next[name], live[name]))
    .map((name) => fieldError.invalid(SPEC.child(name), goFieldValue(next, name), fieldImmutable));
  return errors;
}

function goFieldValue(spec: JobSpec, name: 'completions' | 'selector' | 'completionMode') {
  return name === 'selector' ? goSelector(spec.selector) : (spec[name] ?? null);
}
