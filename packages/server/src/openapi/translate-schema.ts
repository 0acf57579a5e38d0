/**
 * Converts an author's JSON Schema to OpenAPI 3.0. The result is a description; validation uses the author's schema
 * itself, so keywords that OpenAPI does not have are omitted.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  ANYTHING,
  isExtension,
  mapValues,
  type SchemaObject,
  type SchemaType,
} from '../schema/openapi-schema.ts';
import { intersectSchemas, uniteSchemas } from './combine-schemas.ts';
import { metaNames, typeMeta } from './meta-definitions.ts';

/** The destination of named parts of a schema. */
interface SchemaScope {
  /** The name of the definition for the author's name `local`; `#` is the whole schema. */
  readonly definitionName: (local: string) => string;
  /** Filled during conversion. */
  readonly definitions: Map<string, SchemaObject>;
}

type Source = Readonly<Record<string, unknown>>;

/** Keywords with the same meaning in both languages. */
const SHARED: ReadonlySet<string> = new Set<keyof SchemaObject>([
  'title',
  'description',
  'format',
  'nullable',
  'default',
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
  'minItems',
  'maxItems',
  'uniqueItems',
  'required',
  'minProperties',
  'maxProperties',
  'readOnly',
  'writeOnly',
  'deprecated',
]);

export function translateSchema(source: unknown, scope: SchemaScope): SchemaObject {
  const schema = translate(source, scope);
  const whole = scope.definitionName('#');
  if (!refersToWhole(source)) return schema;
  scope.definitions.set(whole, schema);
  return { $ref: whole };
}

function translate(source: unknown, scope: SchemaScope): SchemaObject {
  if (source === false) return { not: ANYTHING };
  if (!isRecord(source)) return ANYTHING;
  addDefinitions(source, scope);
  if (typeof source.$ref === 'string') {
    const { title, description } = shared(source);
    const $ref = scope.definitionName(localName(source.$ref));
    return { $ref, ...(title && { title }), ...(description && { description }) };
  }
  const schema: SchemaObject = {
    ...shared(source),
    ...bounds(source),
    ...literal(source),
    ...typed(source),
    ...content(source, scope),
  };
  const whole = embedded(combined(schema, source, scope));
  return STRUCTURE.some((keyword) => keyword in whole) ? whole : { ...whole, ...ANYTHING };
}

/** A schema without any of these does not restrict a value. */
const STRUCTURE: readonly (keyof SchemaObject)[] = [
  '$ref',
  'type',
  'enum',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
];

function shared(source: Source): SchemaObject {
  const remaining = Object.entries(source).filter(
    ([keyword, value]) =>
      value !== undefined &&
      (SHARED.has(keyword) || isExtension(keyword)) &&
      !(keyword === 'required' && Array.isArray(value) && value.length === 0),
  );
  const [example] = Array.isArray(source.examples) ? source.examples : [];
  return { ...(example !== undefined && { example }), ...Object.fromEntries(remaining) };
}

/** JSON Schema has exclusive bounds as numbers, OpenAPI 3.0 as a flag on the inclusive ones. */
function bounds(source: Source): SchemaObject {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = source;
  const low =
    typeof exclusiveMinimum === 'number' &&
    (typeof minimum === 'number' && minimum > exclusiveMinimum
      ? { minimum, exclusiveMinimum: false }
      : { minimum: exclusiveMinimum, exclusiveMinimum: true });
  const high =
    typeof exclusiveMaximum === 'number' &&
    (typeof maximum === 'number' && maximum < exclusiveMaximum
      ? { maximum, exclusiveMaximum: false }
      : { maximum: exclusiveMaximum, exclusiveMaximum: true });
  return { ...low, ...high };
}

function literal(source: Source): SchemaObject {
  if ('const' in source) return enumeration([source.const]);
  return Array.isArray(source.enum) ? enumeration(source.enum) : {};
}

/** The type follows from the values; the author's type comes later and wins. */
function enumeration(values: readonly unknown[]): SchemaObject {
  const types = new Set(values.filter((value) => value !== null).map(literalType));
  const [type] = types;
  return {
    ...(types.size === 1 && type && { type }),
    ...(values.includes(null) && { nullable: true }),
    enum: values,
  };
}

function literalType(value: unknown): SchemaType | undefined {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'number';
    default:
      return undefined;
  }
}

function typed(source: Source): SchemaObject {
  const { type, format, contentEncoding } = source;
  const named = (Array.isArray(type) ? type : [type]).filter((name) => name !== 'null');
  const nullable = type === 'null' || (Array.isArray(type) && type.includes('null'));
  if (type === 'null') return { nullable: true, enum: [null] };
  const flags = nullable && { nullable };
  if (named.length > 1) {
    return { ...flags, ...uniteSchemas(named.map((one) => typed({ ...source, type: one }))) };
  }
  const [only] = named;
  if (only === 'integer' || only === 'bigint') {
    return { ...flags, type: 'integer', format: typeof format === 'string' ? format : 'int64' };
  }
  if (!isSchemaType(only)) return { ...flags };
  const base64 = only === 'string' && contentEncoding === 'base64' && format === undefined;
  return { ...flags, type: only, ...(base64 && { format: 'byte' }) };
}

function content(source: Source, scope: SchemaScope): SchemaObject {
  return { ...properties(source, scope), ...elements(source, scope) };
}

function properties(source: Source, scope: SchemaScope): SchemaObject {
  const named = isRecord(source.properties) ? source.properties : {};
  const others = otherProperties(source, scope);
  return {
    ...(Object.keys(named).length > 0 && {
      properties: mapValues(named, (inner) => translate(inner, scope)),
    }),
    ...(others !== undefined && { additionalProperties: others }),
  };
}

/** A map of other fields. Closed objects say nothing, because unknown fields are pruned. */
function otherProperties(source: Source, scope: SchemaScope): SchemaObject | true | undefined {
  const { patternProperties, additionalProperties } = source;
  if (isRecord(patternProperties)) {
    const patterns = Object.values(patternProperties).map((inner) => translate(inner, scope));
    if (patterns.length > 0) return uniteSchemas(patterns);
  }
  if (additionalProperties === true) return true;
  return isRecord(additionalProperties) ? translate(additionalProperties, scope) : undefined;
}

/** An array needs a schema of its items: kubectl rejects a whole document with an array that has none. */
function elements(source: Source, scope: SchemaScope): SchemaObject {
  const { type, items, prefixItems } = source;
  const tuple = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : undefined;
  if (tuple !== undefined) {
    return {
      items: uniteSchemas(tuple.map((inner) => translate(inner, scope))),
      maxItems: tuple.length,
    };
  }
  if (items !== undefined) return { items: translate(items, scope) };
  return type === 'array' ? { items: ANYTHING } : {};
}

function combined(own: SchemaObject, source: Source, scope: SchemaScope): SchemaObject {
  let schema = own;
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const variants = source[keyword];
    if (!Array.isArray(variants)) continue;
    const translated = variants.map((variant) => translate(variant, scope));
    schema = intersectSchemas([schema, uniteSchemas(translated, keyword)]);
  }
  if (Array.isArray(source.allOf)) {
    const parts = source.allOf.map((part) => translate(part, scope));
    schema = intersectSchemas([schema, ...parts]);
  }
  if (isRecord(source.not)) schema = { ...schema, not: translate(source.not, scope) };
  if (schema['x-kubernetes-int-or-string'] === true && schema.anyOf === undefined) {
    return { ...schema, anyOf: [{ type: 'integer' }, { type: 'string' }] };
  }
  return schema;
}

/** An embedded object has the fields of every object; its type is required. */
export function embedded(schema: SchemaObject): SchemaObject {
  if (schema['x-kubernetes-embedded-resource'] !== true) return schema;
  const required = new Set([...(schema.required ?? []), 'kind', 'apiVersion']);
  return {
    ...schema,
    required: [...required],
    properties: {
      ...schema.properties,
      ...typeMeta(),
      metadata: { description: 'Standard metadata.', $ref: metaNames.objectMeta },
    },
  };
}

function addDefinitions(source: Source, scope: SchemaScope): void {
  for (const keyword of ['$defs', 'definitions']) {
    const parts = source[keyword];
    if (!isRecord(parts)) continue;
    for (const [local, part] of Object.entries(parts)) addDefinition(local, part, scope);
  }
}

function addDefinition(local: string, part: unknown, scope: SchemaScope): void {
  const name = scope.definitionName(local);
  const known = scope.definitions.get(name);
  const schema = translate(part, scope);
  if (known !== undefined && !isDeepStrictEqual(known, schema)) {
    throw new Error(`${name}: two different schemas have the same name`);
  }
  scope.definitions.set(name, schema);
}

/** TypeBox refers by bare name, JSON Schema by pointer. */
function localName(ref: string): string {
  return ref.replace(/^#\/(?:\$defs|definitions)\//, '');
}

function refersToWhole(source: unknown): boolean {
  if (Array.isArray(source)) return source.some(refersToWhole);
  if (!isRecord(source)) return false;
  return source.$ref === '#' || Object.values(source).some(refersToWhole);
}

function isRecord(value: unknown): value is Source {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const TYPES: ReadonlySet<unknown> = new Set<SchemaType>([
  'object',
  'array',
  'string',
  'integer',
  'number',
  'boolean',
]);

function isSchemaType(name: unknown): name is SchemaType {
  return TYPES.has(name);
}
