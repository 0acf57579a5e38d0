/** Schemas in each version of OpenAPI. */
import { isExtension, mapSubschemas, type SchemaObject } from '../schema/openapi-schema.ts';

/** Keywords of an OpenAPI 2.0 schema that are used; as upstream, defaults are omitted. */
const V2_KEYWORDS: ReadonlySet<string> = new Set<keyof SchemaObject>([
  'title',
  'description',
  'type',
  'format',
  'example',
  'enum',
  'multipleOf',
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'pattern',
  'items',
  'minItems',
  'maxItems',
  'uniqueItems',
  'properties',
  'required',
  'additionalProperties',
  'minProperties',
  'maxProperties',
  'readOnly',
]);

const V2_WORDS: ReadonlySet<string> = new Set(['title', 'description']);

/**
 * Clients of version 2 validate objects before sending them, and know neither null nor alternatives nor unknown field
 * names. Where a schema allows more than such a client understands, it is left open.
 */
export function schemaV2(schema: SchemaObject): SchemaObject {
  const words = only(schema, V2_WORDS);
  if (schema.nullable === true) return words;
  if (schema.$ref !== undefined) return { ...words, $ref: `#/definitions/${schema.$ref}` };
  if (!isPlain(schema)) return words;
  return mapSubschemas(withoutNullRequired(only(schema, V2_KEYWORDS)), schemaV2);
}

/** A definition; clients of version 2 know an int-or-string only as a string. */
export function definitionV2(name: string, schema: SchemaObject): SchemaObject {
  const kind = schema['x-kubernetes-group-version-kind'];
  if (schema['x-kubernetes-preserve-unknown-fields'] === true && kind !== undefined) {
    // A kind with arbitrary fields has none here: clients of this version would reject all others.
    return { type: 'object', 'x-kubernetes-group-version-kind': kind };
  }
  const known = V2_DEFINITIONS.get(name);
  return known === undefined ? schemaV2(schema) : { ...only(schema, V2_WORDS), ...known };
}

const V2_DEFINITIONS: ReadonlyMap<string, SchemaObject> = new Map([
  ['io.k8s.apimachinery.pkg.api.resource.Quantity', { type: 'string' }],
  ['io.k8s.apimachinery.pkg.util.intstr.IntOrString', { type: 'string', format: 'int-or-string' }],
]);

/** A nullable field cannot be required, because clients take null for a missing field. */
function withoutNullRequired(schema: SchemaObject): SchemaObject {
  const { required = [], properties = {} } = schema;
  const remaining = required.filter((name) => ownValue(properties, name)?.nullable !== true);
  if (remaining.length === required.length) return schema;
  const { required: _, ...rest } = schema;
  return remaining.length > 0 ? { ...rest, required: remaining } : rest;
}

function ownValue<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** In OpenAPI 3.0 nothing may stand beside a reference; it is wrapped instead. */
export function schemaV3(schema: SchemaObject): SchemaObject {
  if (schema.$ref === undefined) return mapSubschemas(schema, schemaV3);
  const { $ref, ...beside } = schema;
  const reference = { $ref: `#/components/schemas/${$ref}` };
  return Object.keys(beside).length === 0 ? reference : { ...beside, allOf: [reference] };
}

function isPlain(schema: SchemaObject): boolean {
  if (schema.type === undefined) return false;
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return false;
  if (schema['x-kubernetes-int-or-string'] === true) return false;
  return schema.properties === undefined || !schema.additionalProperties;
}

function only(schema: SchemaObject, keywords: ReadonlySet<string>): SchemaObject {
  return Object.fromEntries(
    Object.entries(schema).filter(
      ([keyword, value]) => value !== undefined && (keywords.has(keyword) || isExtension(keyword)),
    ),
  );
}
