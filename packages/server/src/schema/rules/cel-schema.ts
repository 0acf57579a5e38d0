/** An author's schemas in the form for compiling rules: folded, and without references. */

import { definitionNamed } from '../build-node.ts';
import { foldSchema } from '../fold-schema.ts';
import type { JsonSchema } from '../json-schema.ts';
import { isRecord } from '../schema-node.ts';

/** The schema of a whole object with these fields. */
export function celSchema(fields: ReadonlyMap<string, JsonSchema>): JsonSchema {
  const properties = [...fields].map(([name, field]) => [
    name,
    plainSchema(field, { scopes: [field], open: new Set() }),
  ]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}

interface Place {
  /** Scopes for names of definitions, innermost first; `#` is the last. */
  readonly scopes: readonly [JsonSchema, ...JsonSchema[]];
  /** Schemas in progress. */
  readonly open: ReadonlySet<JsonSchema>;
}

/** Values without a type, and types that contain themselves, are not visible to expressions. */
const INVISIBLE: JsonSchema = { 'x-kubernetes-preserve-unknown-fields': true };

function plainSchema(source: unknown, outer: Place): JsonSchema {
  if (!isRecord(source)) return INVISIBLE;
  const schema = foldSchema(source);
  const place: Place = { ...outer, scopes: [schema, ...outer.scopes] };
  if (typeof schema.$ref === 'string') return referred(schema.$ref, schema, place);
  const { properties, additionalProperties, items, allOf } = schema;
  return {
    ...schema,
    ...(isRecord(properties) && { properties: plainProperties(properties, place) }),
    ...(isRecord(additionalProperties) && {
      additionalProperties: plainSchema(additionalProperties, place),
    }),
    ...(isRecord(items) && { items: plainSchema(items, place) }),
    ...(Array.isArray(allOf) && { allOf: allOf.map((one) => plainSchema(one, place)) }),
  };
}

function plainProperties(properties: Record<string, unknown>, place: Place): JsonSchema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, plainSchema(field, place)]),
  );
}

/** Keywords beside a reference are added to it. */
function referred(reference: string, schema: JsonSchema, place: Place): JsonSchema {
  const name = reference.replace(/^#\/(?:\$defs|definitions)\//, '');
  const target = name === '#' ? place.scopes.at(-1) : definitionNamed(name, place.scopes);
  if (target === undefined || place.open.has(target)) return INVISIBLE;
  const { $ref: _, ...beside } = schema;
  return {
    ...plainSchema(target, { ...place, open: new Set([...place.open, target]) }),
    ...beside,
  };
}
