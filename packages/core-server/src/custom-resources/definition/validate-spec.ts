import type { CustomResourceDefinitionSpec } from '@tributary/api/apiextensions-v1';
import {
  dns1035LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  fieldError,
  root,
} from '@tributary/apimachinery';
import { validateRequiredSupported } from '../../kinds/shared/validate-values.ts';
import { type InternalSpec, internalSpec } from './internal-spec.ts';
import { versionsText } from './internal-text.ts';
import type { DefinitionRules } from './ratchet.ts';
import { someSchema } from './schema/some-schema.ts';
import { hasDefaults } from './schema/validate-defaults.ts';
import { validateConversion } from './validate-conversion.ts';
import { requireNames, validateNames } from './validate-names.ts';
import { validateParts, validateVersions } from './validate-versions.ts';

const SPEC = root('spec');
const SCOPES = ['Cluster', 'Namespaced'];

/** In upstream's order, all errors at once. */
export function validateSpec(
  spec: CustomResourceDefinitionSpec,
  given: DefinitionRules,
): FieldError[] {
  const internal = internalSpec(spec);
  const rules = { ...given, requireStructural: () => mustBeStructural(spec, given) };
  return [
    ...validateGroup(spec.group),
    ...validateRequiredSupported(spec.scope, SCOPES, SPEC.child('scope')),
    ...validateSchemasPresent(internal, rules),
    ...validateDefaultsAllowed(spec),
    ...validateVersions(internal, rules),
    ...validateStorage(internal),
    ...validateFirstVersion(internal),
    ...requireNames(spec.names, SPEC.child('names')),
    ...validateNames(spec.names, SPEC.child('names')),
    ...validateParts(internal, rules),
    ...validatePreservingConversion(spec),
    ...validateConversion(spec.conversion, SPEC.child('conversion'), rules),
  ];
}

function validateGroup(group: string): FieldError[] {
  const path = SPEC.child('group');
  if (group === '') return [fieldError.required(path)];
  const errors = dns1123SubdomainErrors(group);
  if (errors.length > 0) return [fieldError.invalid(path, group, errors.join(','))];
  if (group.includes('.')) return [];
  return [fieldError.invalid(path, group, 'should be a domain with at least one dot')];
}

/** Pruning, defaults and the extensions of Kubernetes depend on the type of every field. */
function mustBeStructural(
  { versions, preserveUnknownFields = false }: CustomResourceDefinitionSpec,
  { requireStructural }: DefinitionRules,
): boolean {
  if (!preserveUnknownFields || requireStructural()) return true;
  return (versions ?? []).some(({ schema }) =>
    someSchema(
      schema?.openAPIV3Schema,
      (one) =>
        one.default !== undefined || EXTENSIONS.some((keyword) => one[keyword] !== undefined),
    ),
  );
}

const EXTENSIONS = [
  'x-kubernetes-embedded-resource',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-validations',
] as const;

function validateSchemasPresent(
  { schema, versions, preserveUnknownFields }: InternalSpec,
  { requireSchemas }: DefinitionRules,
): FieldError[] {
  if (schema?.openAPIV3Schema !== undefined) return [];
  if (!requireSchemas && preserveUnknownFields) return [];
  return (versions ?? []).flatMap((version, at) => {
    const isMissing = version.schema?.openAPIV3Schema === undefined;
    if (!isMissing || (!requireSchemas && !version.served)) return [];
    const detail = requireSchemas ? '' : 'because otherwise all fields are pruned';
    const path = SPEC.child('versions').index(at).child('schema', 'openAPIV3Schema');
    return [fieldError.required(path, detail)];
  });
}

function validateDefaultsAllowed({
  versions,
  preserveUnknownFields = false,
}: CustomResourceDefinitionSpec): FieldError[] {
  if (!preserveUnknownFields) return [];
  if (!(versions ?? []).some(({ schema }) => hasDefaults(schema?.openAPIV3Schema))) return [];
  const detail = 'must be false in order to use defaults in the schema';
  return [fieldError.invalid(SPEC.child('preserveUnknownFields'), true, detail)];
}

function validateStorage({ versions }: InternalSpec): FieldError[] {
  const path = SPEC.child('versions');
  const all = versions ?? [];
  const details: string[] = [];
  if (new Set(all.map(({ name }) => name)).size < all.length) {
    details.push('must contain unique version names');
  }
  if (all.filter(({ storage }) => storage).length !== 1) {
    details.push('must have exactly one version marked as storage version');
  }
  return details.map((detail) => fieldError.invalid(path, versionsText(versions), detail));
}

/** The internal version has the name of the first version in a separate field, which is validated too. */
function validateFirstVersion({ version }: InternalSpec): FieldError[] {
  const errors = version === '' ? [] : dns1035LabelErrors(version);
  if (errors.length === 0) return [];
  return [fieldError.invalid(SPEC.child('version'), version, errors.join(','))];
}

function validatePreservingConversion({
  conversion,
  preserveUnknownFields = false,
}: CustomResourceDefinitionSpec): FieldError[] {
  if (!preserveUnknownFields || conversion === undefined) return [];
  const { strategy } = conversion;
  if (strategy === 'None') return [];
  const detail = 'must be None if spec.preserveUnknownFields is true';
  return [fieldError.invalid(SPEC.child('conversion', 'strategy'), strategy, detail)];
}
