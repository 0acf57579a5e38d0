/** Ratcheting: an error that the stored object already has must not prevent other changes. */
import { isDeepStrictEqual } from 'node:util';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionSpec,
  JSONSchemaProps,
} from '@tributary/api/apiextensions-v1';
import { root } from '@tributary/apimachinery';
import { caBundleError } from './ca-bundle.ts';
import { isTrue } from './conditions/condition.ts';
import type { InternalSpec } from './internal-spec.ts';
import { internalSpec } from './internal-spec.ts';
import { someSchema } from './schema/some-schema.ts';
import { structuralFormError } from './schema/structural-form.ts';
import { hasDefaults, validateDefaults } from './schema/validate-defaults.ts';
import { partlyOwned, validateMapKeys } from './schema/validate-list-type.ts';
import { validateStructural } from './schema/validate-structural.ts';
import { isKnownReview } from './validate-conversion.ts';
import { SELECTABLE_MAX } from './validate-selectable-fields.ts';

/** Rules that validation of a definition applies. */
export interface DefinitionRules {
  readonly requireKnownReview: boolean;
  readonly requireImmutableNames: boolean;
  readonly requireSchemas: boolean;
  readonly requireValidType: () => boolean;
  readonly requireStructural: () => boolean;
  readonly requirePruned: () => boolean;
  readonly requireAtomicSets: () => boolean;
  readonly requireMapKeys: () => boolean;
  readonly allowInvalidBundle: boolean;
  /** Names of versions with unchanged schemas. */
  readonly unchangedSchemas: ReadonlySet<string>;
  /**
   * Names of versions that exceeded the limit of selectable fields before; an empty name stands for the shared ones.
   */
  readonly tooManySelectable: ReadonlySet<string>;
}

export const rulesForCreate: DefinitionRules = {
  requireKnownReview: true,
  requireImmutableNames: false,
  requireSchemas: true,
  requireValidType: () => true,
  requireStructural: () => true,
  requirePruned: () => true,
  requireAtomicSets: () => true,
  requireMapKeys: () => true,
  // The webhook is not called before the definition is established.
  allowInvalidBundle: true,
  unchangedSchemas: new Set(),
  tooManySelectable: new Set(),
};

export function rulesForUpdate(
  next: CustomResourceDefinition,
  live: CustomResourceDefinition,
): DefinitionRules {
  const { spec } = live;
  const schemas = schemasOf(spec);
  const reviews = spec.conversion?.webhook?.conversionReviewVersions ?? [];
  const none = (has: (schema: JSONSchemaProps) => boolean) => () =>
    !schemas.some((schema) => someSchema(schema, has));
  return {
    requireKnownReview: reviews.length === 0 || isKnownReview(reviews),
    requireImmutableNames: isTrue(live, 'Established'),
    requireSchemas: schemas.length === (spec.versions ?? []).length,
    requireValidType: none(({ type = '' }) => type !== '' && !TYPES.has(type)),
    requireStructural: () => schemas.every(isStructural),
    requirePruned: () => !schemas.some(hasUnprunedDefaults),
    requireAtomicSets: none((schema) => partlyOwned(schema) !== undefined),
    requireMapKeys: none((schema) => validateMapKeys(schema, ANYWHERE()).length > 0),
    allowInvalidBundle: allowsInvalidBundle(live),
    unchangedSchemas: unchangedSchemas(next, live),
    tooManySelectable: tooManySelectable(internalSpec(next.spec), internalSpec(spec)),
  };
}

const ANYWHERE = () => root('schema');
const TYPES: ReadonlySet<string> = new Set([
  'array',
  'boolean',
  'integer',
  'number',
  'object',
  'string',
]);

function schemasOf({ versions }: CustomResourceDefinitionSpec): JSONSchemaProps[] {
  return (versions ?? []).flatMap(({ schema }) => schema?.openAPIV3Schema ?? []);
}

function isStructural(schema: JSONSchemaProps): boolean {
  return (
    structuralFormError(schema) === undefined && validateStructural(schema, ANYWHERE).length === 0
  );
}

function hasUnprunedDefaults(schema: JSONSchemaProps): boolean {
  if (!hasDefaults(schema) || !isStructural(schema)) return false;
  const strict = validateDefaults(schema, ANYWHERE(), { requirePruned: () => true });
  return strict.some(({ detail }) => detail === 'must not have unknown fields');
}

function allowsInvalidBundle(live: CustomResourceDefinition): boolean {
  if (!isTrue(live, 'Established')) return true;
  return caBundleError(live.spec.conversion?.webhook?.clientConfig?.caBundle) !== undefined;
}

function unchangedSchemas(
  next: CustomResourceDefinition,
  live: CustomResourceDefinition,
): Set<string> {
  // preserveUnknownFields changes which rules apply to a schema.
  if (next.spec.preserveUnknownFields !== live.spec.preserveUnknownFields) return new Set();
  const before = new Map((live.spec.versions ?? []).map((version) => [version.name, version]));
  const same = (next.spec.versions ?? []).filter(({ name, schema }) => {
    const version = before.get(name);
    return version !== undefined && isDeepStrictEqual(schema, version.schema);
  });
  return new Set(same.map(({ name }) => name));
}

function tooManySelectable(next: InternalSpec, live: InternalSpec): Set<string> {
  const before = new Map(
    (live.versions ?? []).map(({ name, selectableFields }) => [name, selectableFields]),
  );
  const names = (next.versions ?? [])
    .filter(({ name, selectableFields }) => isUnchangedExcess(selectableFields, before.get(name)))
    .map(({ name }) => name);
  return new Set([
    ...names,
    ...(isUnchangedExcess(next.selectableFields, live.selectableFields) ? [''] : []),
  ]);
}

function isUnchangedExcess(
  next: InternalSpec['selectableFields'],
  live: InternalSpec['selectableFields'],
) {
  return (live ?? []).length > SELECTABLE_MAX && isDeepStrictEqual(next, live);
}
