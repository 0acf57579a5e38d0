import { isDeepStrictEqual } from 'node:util';
import type { Deployment, DeploymentSpec, DeploymentStatus } from '@tributary/api/apps-v1';
import {
  type FieldError,
  type FieldPath,
  fieldError,
  fieldImmutable,
  goJson,
  goText,
  root,
  validateDnsSubdomainName,
} from '@tributary/apimachinery';
import { selectorOf, validateSelectorTerms } from '../../../rbac/label-selector-terms.ts';
import { notNegative } from '../../core/pod-template/validate-probes.ts';
import { validatePodTemplate } from '../../core/pod-template/validation.ts';
import { metadataErrors, metadataUpdateErrors } from '../../shared/object-metadata.ts';
import { validateStrategy } from './strategy-validation.ts';

const METADATA_RULES = { namespaced: true, validateName: validateDnsSubdomainName };
const SPEC = root('spec');
const STATUS = root('status');

export function validateDeployment(deployment: Deployment): FieldError[] {
  return [...metadataErrors(deployment, METADATA_RULES), ...validateSpec(deployment.spec)];
}

/** An update changes either the status or the rest, and only that is validated. */
export function validateDeploymentUpdate(next: Deployment, live: Deployment): FieldError[] {
  const errors = metadataUpdateErrors(next, live);
  if (!isDeepStrictEqual(next.status, live.status)) {
    return [...errors, ...validateStatus(next.status, live.status)];
  }
  errors.push(...validateSpec(next.spec));
  if (!isDeepStrictEqual(next.spec.selector, live.spec.selector)) {
    errors.push(
      fieldError.invalid(SPEC.child('selector'), goSelector(next.spec.selector), fieldImmutable),
    );
  }
  return errors;
}

function validateSpec(spec: DeploymentSpec): FieldError[] {
  const { minReadySeconds = 0, progressDeadlineSeconds } = spec;
  const deadline = SPEC.child('progressDeadlineSeconds');
  const errors = [
    ...notNegative(SPEC.child('replicas'), spec.replicas),
    ...validateSelection(spec),
    ...validateStrategy(spec.strategy, SPEC.child('strategy')),
    ...notNegative(SPEC.child('minReadySeconds'), minReadySeconds),
    ...notNegative(SPEC.child('revisionHistoryLimit'), spec.revisionHistoryLimit),
    ...notNegative(deadline, progressDeadlineSeconds),
  ];
  if (progressDeadlineSeconds !== undefined && progressDeadlineSeconds <= minReadySeconds) {
    const detail = 'must be greater than minReadySeconds';
    errors.push(fieldError.invalid(deadline, progressDeadlineSeconds, detail));
  }
  return errors;
}

/** Validates the selector, the template, and that they match. */
function validateSelection({ selector, template }: DeploymentSpec): FieldError[] {
  const path = SPEC.child('selector');
  const errors: FieldError[] = [];
  if (selector === null || selector === undefined) errors.push(fieldError.required(path));
  else {
    errors.push(...validateSelectorTerms(selector, path));
    const { matchLabels = {}, matchExpressions = [] } = selector;
    if (Object.keys(matchLabels).length + matchExpressions.length === 0) {
      const detail = 'empty selector is invalid for deployment';
      errors.push(fieldError.invalid(path, goSelector(selector), detail));
    }
  }
  const parsed = selectorOf(selector ?? {});
  if (parsed === undefined) {
    errors.push(fieldError.invalid(path, goSelector(selector), 'invalid label selector'));
    return errors;
  }
  const at = SPEC.child('template');
  const { labels } = template.metadata;
  // A missing selector matches nothing, an empty one everything.
  if (!selector || !parsed.matches(labels)) {
    const detail = '`selector` does not match template `labels`';
    errors.push(fieldError.invalid(at.child('metadata', 'labels'), labels ?? null, detail));
  }
  return [...errors, ...validatePodTemplate(template, at), ...alwaysRuns(template.spec, at)];
}

/** The selector as JSON, with fields in the order of Go's struct. */
function goSelector(selector: DeploymentSpec['selector'] | undefined) {
  if (!selector) return null;
  const { matchLabels, matchExpressions } = selector;
  const members = Object.entries({ matchLabels, matchExpressions })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `"${name}":${goJson(value)}`);
  return goText(`{${members.join()}}`);
}

function alwaysRuns(
  { restartPolicy = '', activeDeadlineSeconds }: DeploymentSpec['template']['spec'],
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (restartPolicy !== 'Always') {
    const fieldPath = path.child('spec', 'restartPolicy');
    errors.push(fieldError.notSupported(fieldPath, restartPolicy, ['Always']));
  }
  if (activeDeadlineSeconds !== undefined) {
    const detail = 'activeDeadlineSeconds in ReplicaSet is not Supported';
    errors.push(fieldError.forbidden(path.child('spec', 'activeDeadlineSeconds'), detail));
  }
  return errors;
}

const COUNTS = [
  'observedGeneration',
  'replicas',
  'updatedReplicas',
  'readyReplicas',
  'availableReplicas',
  'unavailableReplicas',
  'terminatingReplicas',
  'collisionCount',
] as const;
const PARTS = ['updatedReplicas', 'readyReplicas', 'availableReplicas'] as const;

function validateStatus(status: DeploymentStatus, live: DeploymentStatus): FieldError[] {
  const { replicas = 0, readyReplicas = 0, availableReplicas = 0, collisionCount = 0 } = status;
  const errors = COUNTS.flatMap((name) => notNegative(STATUS.child(name), status[name]));
  for (const name of PARTS) {
    const count = status[name] ?? 0;
    if (count <= replicas) continue;
    const detail = 'cannot be greater than status.replicas';
    errors.push(fieldError.invalid(STATUS.child(name), count, detail));
  }
  if (availableReplicas > readyReplicas) {
    const fieldPath = STATUS.child('availableReplicas');
    const detail = 'cannot be greater than readyReplicas';
    errors.push(fieldError.invalid(fieldPath, availableReplicas, detail));
  }
  if (collisionCount < (live.collisionCount ?? 0)) {
    const fieldPath = STATUS.child('collisionCount');
    errors.push(fieldError.invalid(fieldPath, collisionCount, 'cannot be decremented'));
  }
  return errors;
}
