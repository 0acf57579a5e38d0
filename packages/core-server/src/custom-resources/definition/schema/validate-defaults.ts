import type { JSONSchemaProps } from '@tributary/api/apiextensions-v1';
import type { FieldError, FieldPath } from '@tributary/apimachinery';
import { type JsonSchema, validateSchemaDefaults } from '@tributary/server/schema';
import { someSchema } from './some-schema.ts';

export interface DefaultRules {
  /** Called only for defaults with unknown fields: stored ones may keep them. */
  readonly requirePruned: () => boolean;
}

/** Defaults must be valid by their own schemas. */
export function validateDefaults(
  schema: JSONSchemaProps,
  path: FieldPath,
  { requirePruned }: DefaultRules,
): FieldError[] {
  return hasDefaults(schema)
    ? validateSchemaDefaults(schema as JsonSchema, { path, requirePruned })
    : [];
}

export function hasDefaults(schema: JSONSchemaProps | undefined): boolean {
  return someSchema(schema, (one) => one.default !== undefined);
}
