import { foldSchema } from './fold-schema.ts';
import { enforcedFormat } from './formats.ts';
import type { JsonSchema } from './json-schema.ts';
import { LazyMap } from './lazy-map.ts';
import { numberIn, numberRules, textIn, textRules } from './scalar-rules.ts';
import {
  ANYTHING,
  EMPTY_NODE,
  isRecord,
  type SchemaNode,
  type SchemaTypeName,
} from './schema-node.ts';

/**
 * Converts an author's schema to a node. Keywords that a CustomResourceDefinition cannot express are an error of the
 * author, reported with its path: silently not enforcing a keyword would be worse.
 */
export function buildNode(
  schema: JsonSchema,
  path: string,
  { verbatim = false, lazy = false }: BuildOptions = {},
): SchemaNode {
  const alternative = false;
  return build(schema, { path, scopes: [schema], built: new Map(), alternative, verbatim, lazy });
}

interface BuildOptions {
  /** An OpenAPI schema, not an author's: its patterns are Go's, and nothing is folded. */
  readonly verbatim?: boolean;
  /** Fields are converted when a first value has them, and errors in them are found then. */
  readonly lazy?: boolean;
}

interface Place {
  readonly path: string;
  /** Scopes for names of definitions, innermost first; `#` is the last. */
  readonly scopes: readonly [JsonSchema, ...JsonSchema[]];
  /** Schemas that are converted or in progress: references may be circular. */
  readonly built: Map<JsonSchema, SchemaNode>;
  /** Below `allOf`, `anyOf`, `oneOf` and `not` a schema restricts values, and has no effect on pruning. */
  readonly alternative: boolean;
  readonly verbatim: boolean;
  readonly lazy: boolean;
}

function build(source: unknown, outer: Place): SchemaNode {
  if (source === true) return outer.alternative ? EMPTY_NODE : ANYTHING;
  if (source === false) return { ...EMPTY_NODE, not: EMPTY_NODE };
  if (!isRecord(source)) throw mistake(outer, 'a schema is an object');
  const schema = outer.verbatim ? source : foldSchema(source);
  const place: Place = { ...outer, scopes: [schema, ...outer.scopes] };
  if (typeof schema.$ref === 'string') return resolve(schema.$ref, schema, place);
  for (const keyword of UNKNOWN_KEYWORDS) {
    if (keyword in schema) throw mistake(place, `${keyword} is not checked by Kubernetes schemas`);
  }
  const types = typesOf(schema, place);
  return {
    ...EMPTY_NODE,
    types,
    nullable: schema.nullable === true,
    format: enforcedFormat(types, textIn(schema.format)),
    enum: Array.isArray(schema.enum) && schema.enum.length > 0 ? schema.enum : undefined,
    ...numberRules(schema),
    ...readableText(schema, place),
    ...listRules(schema, place),
    ...objectRules(schema, place),
    ...alternatives(schema, place),
    default: schema.default,
    preserveUnknownFields: isPreserving(schema, place),
    embeddedResource: schema['x-kubernetes-embedded-resource'] === true,
    source: place.lazy ? schema : undefined,
  };
}

/** JSON Schema has them, OpenAPI 3.0 has not. */
const UNKNOWN_KEYWORDS = [
  'if',
  'then',
  'else',
  'contains',
  'minContains',
  'maxContains',
  'propertyNames',
  'dependencies',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedItems',
  'unevaluatedProperties',
];

const TYPE_NAMES: ReadonlySet<unknown> = new Set<SchemaTypeName>([
  'object',
  'array',
  'string',
  'integer',
  'number',
  'boolean',
  'null',
]);

function typesOf(schema: JsonSchema, place: Place): SchemaTypeName[] {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string'];
  const { type } = schema;
  const names = type === undefined ? [] : Array.isArray(type) ? type : [type];
  for (const name of names) {
    if (!TYPE_NAMES.has(name)) throw mistake(place, `JSON has no type ${String(name)}`);
  }
  return names as SchemaTypeName[];
}

function readableText(schema: JsonSchema, place: Place): Partial<SchemaNode> {
  try {
    return textRules(schema, place);
  } catch (error) {
    throw mistake(place, `pattern: ${(error as Error).message}`);
  }
}

function listRules(schema: JsonSchema, place: Place): Partial<SchemaNode> {
  const { items, prefixItems } = schema;
  const listed = Array.isArray(prefixItems) ? prefixItems : items;
  const inner = within(place, '[]');
  const listType = schema['x-kubernetes-list-type'];
  const listMapKeys = strings(schema['x-kubernetes-list-map-keys']);
  if ((listType === 'map') !== listMapKeys.length > 0) {
    throw mistake(place, 'a list of type map, and no other, needs x-kubernetes-list-map-keys');
  }
  return {
    minItems: numberIn(schema.minItems),
    maxItems: numberIn(schema.maxItems),
    uniqueItems: schema.uniqueItems === true,
    ...(Array.isArray(listed)
      ? { tuple: listed.map((one) => build(one, inner)) }
      : { items: items === undefined ? freeElements(schema) : build(items, inner) }),
    listType: listType === 'map' || listType === 'set' ? listType : 'atomic',
    listMapKeys,
  };
}

function freeElements({ type }: JsonSchema): SchemaNode | undefined {
  return type === 'array' ? ANYTHING : undefined;
}

function objectRules(schema: JsonSchema, place: Place): Partial<SchemaNode> {
  const { properties, additionalProperties } = schema;
  const named = isRecord(properties) ? Object.entries(properties) : [];
  return {
    minProperties: numberIn(schema.minProperties),
    maxProperties: numberIn(schema.maxProperties),
    required: strings(schema.required),
    properties: fieldNodes(named, place),
    additionalProperties:
      additionalProperties === undefined || additionalProperties === false
        ? additionalProperties
        : build(additionalProperties, within(place, '.*')),
  };
}

function fieldNodes(
  named: readonly [string, unknown][],
  place: Place,
): ReadonlyMap<string, SchemaNode> {
  const nodeOf = (field: unknown, name: string) => build(field, within(place, `.${name}`));
  if (place.lazy && named.length > 0) return new LazyMap(named, nodeOf);
  return new Map(named.map(([name, field]) => [name, nodeOf(field, name)]));
}

function alternatives(schema: JsonSchema, place: Place): Partial<SchemaNode> {
  const list = (keyword: string): SchemaNode[] => {
    const variants = schema[keyword];
    if (!Array.isArray(variants)) return [];
    return variants.map((one, index) =>
      build(one, { ...within(place, ` ${keyword}[${index}]`), alternative: true }),
    );
  };
  return {
    allOf: list('allOf'),
    anyOf: list('anyOf'),
    oneOf: list('oneOf'),
    not:
      schema.not === undefined
        ? undefined
        : build(schema.not, { ...within(place, ' not'), alternative: true }),
  };
}

/** A schema with none of these does not specify fields, so no field of the value is unknown. */
const STRUCTURE = [
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
  'x-kubernetes-int-or-string',
];

function isPreserving(schema: JsonSchema, { alternative }: Place): boolean {
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return true;
  return !alternative && !STRUCTURE.some((keyword) => keyword in schema);
}

/** TypeBox refers by bare name, JSON Schema by pointer. Keywords beside a reference are added to it. */
function resolve(reference: string, schema: JsonSchema, place: Place): SchemaNode {
  const target = referred(reference.replace(/^#\/(?:\$defs|definitions)\//, ''), place);
  const own = {
    ...(schema.nullable === true && { nullable: true }),
    ...(schema.default !== undefined && { default: schema.default }),
  };
  if (Object.keys(own).length === 0) return target;
  // The target may be in progress, so inherited fields are read when they are needed.
  return Object.assign(Object.create(target) as SchemaNode, own);
}

function referred(name: string, place: Place): SchemaNode {
  const source = name === '#' ? place.scopes.at(-1) : definitionNamed(name, place.scopes);
  // An API with a dangling reference is rejected when its documents are made, before anything is served.
  if (source === undefined) return ANYTHING;
  const known = place.built.get(source);
  if (known !== undefined) return known;
  const node = { ...EMPTY_NODE };
  place.built.set(source, node);
  return Object.assign(node, build(source, { ...place, path: `${place.path} (${name})` }));
}

export function definitionNamed(
  name: string,
  scopes: readonly JsonSchema[],
): JsonSchema | undefined {
  for (const scope of scopes) {
    for (const keyword of ['$defs', 'definitions']) {
      const parts = scope[keyword];
      if (!isRecord(parts) || !Object.hasOwn(parts, name)) continue;
      const part = parts[name];
      if (isRecord(part)) return part;
    }
  }
  return undefined;
}

function within(place: Place, step: string): Place {
  return { ...place, path: place.path + step };
}

function mistake({ path }: Place, why: string): Error {
  return new Error(`schema of ${path}: ${why}`);
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
