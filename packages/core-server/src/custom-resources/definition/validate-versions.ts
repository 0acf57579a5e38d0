import type { CustomResourceSubresources } from '@tributary/api/apiextensions-v1';
import {
  dns1035LabelErrors,
  type FieldError,
  type FieldPath,
  fieldError,
  root,
} from '@tributary/apimachinery';
import type { InternalSpec, InternalVersion, VersionParts } from './internal-spec.ts';
import type { DefinitionRules } from './ratchet.ts';
import { validateSchema } from './schema/validate-schema.ts';
import { validateSelectableFields } from './validate-selectable-fields.ts';
import {
  validateColumns,
  validateDeprecation,
  validateSubresources,
} from './validate-version-parts.ts';

const SPEC = root('spec');

/** Validates each version, without fields that all versions share. */
export function validateVersions(spec: InternalSpec, rules: DefinitionRules): FieldError[] {
  return (spec.versions ?? []).flatMap((version, at) => {
    const path = SPEC.child('versions').index(at);
    const { name } = version;
    const errors = dns1035LabelErrors(name);
    const subresources = spec.subresources ?? version.subresources;
    return [
      ...(errors.length > 0
        ? [fieldError.invalid(path.child('name'), name, errors.join(','))]
        : []),
      ...validateVersion(version, path, { hasStatus: hasStatus(subresources), rules }),
    ];
  });
}

interface VersionRules {
  readonly hasStatus: boolean;
  readonly rules: DefinitionRules;
}

function validateVersion(
  version: InternalVersion,
  path: FieldPath,
  { hasStatus, rules }: VersionRules,
): FieldError[] {
  const { name } = version;
  return [
    ...validateDeprecation(version, path),
    ...validateSchema(version.schema, path.child('schema'), {
      ...rules,
      hasStatus,
      isUnchanged: rules.unchangedSchemas.has(name),
    }),
    ...validateSubresources(version.subresources, path.child('subresources')),
    ...validateColumns(version.additionalPrinterColumns, path.child('additionalPrinterColumns')),
    ...validateSelectable(version.selectableFields, version.schema, {
      path: path.child('selectableFields'),
      // Upstream's message, although it states the opposite.
      noSchema: 'may only be set when `version.schema.openAPIV3Schema` is not included',
      allowTooMany: rules.tooManySelectable.has(name),
    }),
  ];
}

/** Validates the fields that all versions share. */
export function validateParts(spec: InternalSpec, rules: DefinitionRules): FieldError[] {
  return [
    ...validateSchema(spec.schema, SPEC.child('validation'), {
      ...rules,
      hasStatus: [spec, ...(spec.versions ?? [])].some((one) => hasStatus(one.subresources)),
      isUnchanged: isUnchanged(spec, rules),
    }),
    ...validateSubresources(spec.subresources, SPEC.child('subresources')),
    ...validateColumns(spec.additionalPrinterColumns, SPEC.child('additionalPrinterColumns')),
    ...validateSelectable(spec.selectableFields, spec.schema, {
      path: SPEC.child('selectableFields'),
      noSchema: 'may only be set when validations.schema is included',
      allowTooMany: rules.tooManySelectable.has(''),
    }),
  ];
}

/** A shared schema is unchanged when it is unchanged in each version. */
function isUnchanged({ versions }: InternalSpec, { unchangedSchemas }: DefinitionRules): boolean {
  return (versions ?? []).every(({ name }) => unchangedSchemas.has(name));
}

function hasStatus(subresources: CustomResourceSubresources | undefined): boolean {
  return subresources?.status !== undefined;
}

function validateSelectable(
  fields: VersionParts['selectableFields'],
  schema: VersionParts['schema'],
  options: {
    readonly path: FieldPath;
    readonly noSchema: string;
    readonly allowTooMany: boolean;
  },
): FieldError[] {
  if (fields === undefined || fields.length === 0) return [];
  const { path, noSchema, allowTooMany } = options;
  const whole = schema?.openAPIV3Schema;
  if (whole === undefined) return [fieldError.invalid(path, '', noSchema)];
  return validateSelectableFields(fields, whole, { path, allowTooMany });
}
