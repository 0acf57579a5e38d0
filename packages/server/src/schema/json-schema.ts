import type { TSchema } from 'typebox';

/** A JSON Schema as data, from TypeBox or written by hand. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** TypeBox keeps type markers in non-enumerable properties; as data a schema is plain JSON. */
export function schemaData(schema: TSchema): JsonSchema {
  return plain(schema) as JsonSchema;
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const { patternProperties, ...rest } = value as Record<string, unknown>;
  const copy = Object.fromEntries(Object.entries(rest).map(([name, one]) => [name, plain(one)]));
  const anyKey = anyKeySchema(patternProperties);
  if (anyKey !== undefined) copy.additionalProperties = plain(anyKey);
  return copy;
}

/** TypeBox writes a map as a pattern that every key matches; Kubernetes has `additionalProperties`. */
function anyKeySchema(patterns: unknown): unknown {
  if (typeof patterns !== 'object' || patterns === null) return undefined;
  const [[pattern, schema] = ['', undefined], ...others] = Object.entries(patterns);
  if (others.length > 0 || !ANY_KEY.has(pattern)) {
    throw new Error(
      `patternProperties ${pattern}: keys of a map cannot be restricted by a pattern`,
    );
  }
  return schema;
}

const ANY_KEY = new Set(['^.*$', '^(.*)$', '.*', '']);
