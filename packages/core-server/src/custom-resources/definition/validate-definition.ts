import { isDeepStrictEqual } from 'node:util';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionSpec,
} from '@tributary/api/apiextensions-v1';
import {
  type FieldError,
  fieldError,
  fieldImmutable,
  type NameValidator,
  root,
  validateDnsSubdomainName,
} from '@tributary/apimachinery';
import { ERRORS_MAX } from '@tributary/server/schema';
import { metadataErrors, metadataUpdateErrors } from '../../kinds/shared/object-metadata.ts';
import { validateApproval } from './api-approval.ts';
import { type DefinitionRules, rulesForCreate, rulesForUpdate } from './ratchet.ts';
import { validateNames } from './validate-names.ts';
import { validateSpec } from './validate-spec.ts';
import { validateStoredVersions } from './validate-stored-versions.ts';

const SPEC = root('spec');
const ANY_FINALIZER = { anyFinalizer: true } as const;

export function validateDefinition(definition: CustomResourceDefinition): FieldError[] {
  const rules = { namespaced: false, validateName: nameOf(definition.spec), ...ANY_FINALIZER };
  return [
    ...metadataErrors(definition, rules),
    ...validateSpec(definition.spec, rulesForCreate),
    ...validateRest(definition),
  ].slice(0, ERRORS_MAX);
}

/** Updates of the status keep the spec, which is not validated again. */
export function validateDefinitionUpdate(
  next: CustomResourceDefinition,
  live: CustomResourceDefinition,
): FieldError[] {
  const errors = metadataUpdateErrors(next, live, ANY_FINALIZER);
  if (isDeepStrictEqual(next.spec, live.spec) && !isDeepStrictEqual(next.status, live.status)) {
    return [...errors, ...validateStatus(next)];
  }
  const rules = rulesForUpdate(next, live);
  return [
    ...errors,
    ...validateSpec(next.spec, rules),
    ...validateImmutable(next.spec, live.spec, rules),
    ...validateRest(next, live),
  ].slice(0, ERRORS_MAX);
}

/** The name repeats names of the spec. */
function nameOf({ names, group }: CustomResourceDefinitionSpec): NameValidator {
  return (name, options) => [
    ...validateDnsSubdomainName(name, options),
    ...(name === `${names.plural}.${group}` ? [] : ['must be spec.names.plural+"."+spec.group']),
  ];
}

function validateRest(
  next: CustomResourceDefinition,
  live?: CustomResourceDefinition,
): FieldError[] {
  return [
    ...validateStatus(next),
    ...validateStoredVersions(next),
    ...validateApproval(next, live),
    ...validatePreserving(next.spec, live?.spec),
  ];
}

function validateStatus({ status }: CustomResourceDefinition): FieldError[] {
  return validateNames(status.acceptedNames, root('status', 'acceptedNames'));
}

/** Storage keys contain these names; other names may change until the definition is established. */
function validateImmutable(
  next: CustomResourceDefinitionSpec,
  live: CustomResourceDefinitionSpec,
  { requireImmutableNames }: DefinitionRules,
): FieldError[] {
  const names = SPEC.child('names');
  const compared = [
    ...(requireImmutableNames
      ? [
          { path: SPEC.child('scope'), value: next.scope, before: live.scope },
          { path: names.child('kind'), value: next.names.kind, before: live.names.kind },
        ]
      : []),
    { path: SPEC.child('group'), value: next.group, before: live.group },
    { path: names.child('plural'), value: next.names.plural, before: live.names.plural },
  ];
  return compared
    .filter(({ value, before }) => value !== before)
    .map(({ path, value }) => fieldError.invalid(path, value, fieldImmutable));
}

function validatePreserving(
  next: CustomResourceDefinitionSpec,
  live?: CustomResourceDefinitionSpec,
): FieldError[] {
  if (live?.preserveUnknownFields || !next.preserveUnknownFields) return [];
  const detail =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [fieldError.invalid(SPEC.child('preserveUnknownFields'), true, detail)];
}
