import type { JSONSchemaProps } from '@tributary/api/apiextensions-v1';
import type { FieldError, FieldPath } from '@tributary/apimachinery';
import { type JsonSchema, judgeDefaults } from '@tributary/server/schema';
import { someSchema } from './each-schema.ts';

export interface DefaultRules {
  /** Asked only where one has fields that would be pruned: those that had some before may keep them. */
  readonly requirePruned: () => boolean;
}

/** Defaults must be what their schemas accept. */
export function validateDefaults(
  schema: JSONSchemaProps,
  path: FieldPath,
  { requirePruned }: DefaultRules,
): FieldError[] {
  return hasDefaults(schema) ? judgeDefaults(schema as JsonSchema, { path, requirePruned }) : [];
}

export function hasDefaults(schema: JSONSchemaProps | undefined): boolean {
  return someSchema(schema, (one) => one.default !== undefined);
}
