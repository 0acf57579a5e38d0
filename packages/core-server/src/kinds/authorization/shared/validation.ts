/** Validates the specs of access reviews. */

import type {
  FieldSelectorAttributes,
  LabelSelectorAttributes,
  LocalSubjectAccessReview,
  NonResourceAttributes,
  ResourceAttributes,
  SelfSubjectAccessReview,
  SubjectAccessReview,
} from '@tributary/api/authorization-v1';
import type { FieldSelectorRequirement, LabelSelectorRequirement } from '@tributary/api/meta-v1';
import {
  type FieldError,
  type FieldPath,
  fieldError,
  goJson,
  goText,
  labelValueErrors,
  type ObjectMeta,
  qualifiedNameErrors,
  root,
} from '@tributary/apimachinery';
import { goMetadata, isEmptyMetadata } from '../../shared/review-metadata.ts';

const SPEC = root('spec');
const RESOURCE = SPEC.child('resourceAttributes');
const NON_RESOURCE = SPEC.child('nonResourceAttributes');

export function validateSubjectAccessReview(review: SubjectAccessReview): FieldError[] {
  return [...subjectSpecErrors(review), ...emptyMetadataErrors(review.metadata)];
}

export function validateSelfSubjectAccessReview(review: SelfSubjectAccessReview): FieldError[] {
  return [
    ...oneKindErrors(review.spec),
    ...resourceErrors(review.spec.resourceAttributes),
    ...emptyMetadataErrors(review.metadata),
  ];
}

export function validateLocalSubjectAccessReview(review: LocalSubjectAccessReview): FieldError[] {
  const { metadata, spec } = review;
  const errors = subjectSpecErrors(review);
  if (!isEmptyMetadata(metadata, ['namespace'])) {
    const detail = 'must be empty except for namespace';
    errors.push(fieldError.invalid(root('metadata'), goMetadata(metadata), detail));
  }
  const namespace = spec.resourceAttributes?.namespace ?? '';
  if (spec.resourceAttributes && namespace !== (metadata.namespace ?? '')) {
    const path = RESOURCE.child('namespace');
    errors.push(fieldError.invalid(path, namespace, 'must match metadata.namespace'));
  }
  if (spec.nonResourceAttributes) {
    const shown = goPathAttributes(spec.nonResourceAttributes);
    errors.push(fieldError.invalid(NON_RESOURCE, shown, 'disallowed on this kind of request'));
  }
  return errors;
}

interface Attributes {
  readonly resourceAttributes?: ResourceAttributes;
  readonly nonResourceAttributes?: NonResourceAttributes;
}

function subjectSpecErrors({ spec }: SubjectAccessReview): FieldError[] {
  const errors = oneKindErrors(spec);
  if (!spec.user && (spec.groups ?? []).length === 0) {
    const detail = 'at least one of user or group must be specified';
    errors.push(fieldError.invalid(SPEC.child('user'), spec.user ?? '', detail));
  }
  return [...errors, ...resourceErrors(spec.resourceAttributes)];
}

function oneKindErrors({ resourceAttributes, nonResourceAttributes }: Attributes): FieldError[] {
  if (Boolean(resourceAttributes) !== Boolean(nonResourceAttributes)) return [];
  const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  const shown = nonResourceAttributes ? goPathAttributes(nonResourceAttributes) : null;
  return [fieldError.invalid(SPEC, shown, detail)];
}

function emptyMetadataErrors(metadata: ObjectMeta): FieldError[] {
  if (isEmptyMetadata(metadata)) return [];
  return [fieldError.invalid(root('metadata'), goMetadata(metadata), 'must be empty')];
}

function resourceErrors(attributes: ResourceAttributes | undefined): FieldError[] {
  const { fieldSelector, labelSelector } = attributes ?? {};
  return [
    ...selectorErrors(fieldSelector, RESOURCE.child('fieldSelector'), fieldRequirementErrors),
    ...selectorErrors(labelSelector, RESOURCE.child('labelSelector'), labelRequirementErrors),
  ];
}

type Selector = FieldSelectorAttributes | LabelSelectorAttributes;
type Requirement = FieldSelectorRequirement | LabelSelectorRequirement;

function selectorErrors(
  selector: Selector | undefined,
  path: FieldPath,
  requirementErrors: (requirement: Requirement, path: FieldPath) => FieldError[],
): FieldError[] {
  if (selector === undefined) return [];
  const { rawSelector = '', requirements = [] } = selector;
  const errors: FieldError[] = [];
  if (rawSelector !== '' && requirements.length > 0) {
    const detail = 'may not specified at the same time as requirements';
    errors.push(fieldError.invalid(path.child('rawSelector'), rawSelector, detail));
  }
  if (rawSelector === '' && requirements.length === 0) {
    const detail = `when ${path} is specified, requirements or rawSelector is required`;
    errors.push(fieldError.required(path.child('requirements'), detail));
  }
  const list = path.child('requirements');
  for (const [index, requirement] of requirements.entries()) {
    errors.push(...requirementErrors(requirement, list.index(index)));
  }
  return errors;
}

function fieldRequirementErrors(requirement: Requirement, path: FieldPath): FieldError[] {
  return [
    ...(requirement.key === ''
      ? [fieldError.required(path.child('key'), 'must be specified')]
      : []),
    ...valuesErrors(requirement, path.child('values')),
  ];
}

function labelRequirementErrors(requirement: Requirement, path: FieldPath): FieldError[] {
  const { key, values } = requirement;
  return [
    ...valuesErrors(requirement, path.child('values')),
    ...qualifiedNameErrors(key).map((detail) => fieldError.invalid(path.child('key'), key, detail)),
    ...(values ?? []).flatMap((value, index) =>
      labelValueErrors(value).map((detail) =>
        fieldError.invalid(path.child('values').index(index), value, detail),
      ),
    ),
  ];
}

/** Unknown operators may come from newer clients, and are accepted. */
function valuesErrors({ operator, values }: Requirement, path: FieldPath): FieldError[] {
  const count = (values ?? []).length;
  if ((operator === 'In' || operator === 'NotIn') && count === 0) {
    return [fieldError.required(path, "must be specified when `operator` is 'In' or 'NotIn'")];
  }
  if ((operator === 'Exists' || operator === 'DoesNotExist') && count > 0) {
    const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    return [fieldError.forbidden(path, detail)];
  }
  return [];
}

/** Upstream's internal struct as JSON. */
function goPathAttributes({ path = '', verb = '' }: NonResourceAttributes) {
  return goText(`{"Path":${goJson(path)},"Verb":${goJson(verb)}}`);
}
