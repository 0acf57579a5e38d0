import {
  deduced,
  type FieldType,
  isMap,
  type JsonMap,
  type ListType,
  type MapType,
  type Scalar,
  type Type,
  untypedAtomic,
} from './type.ts';

/** The types of values that a JSON Schema with Kubernetes' keywords describes. */
export function schemaType(schema: JsonMap): Type {
  return typeOf(schema, false);
}

/**
 * The type of a whole object: the metadata of every kind, and the fields that its author declares. `keepsUnknown`: it may
 * have others.
 */
export function objectType(
  fields: Iterable<readonly [string, JsonMap]>,
  { keepsUnknown = false }: { readonly keepsUnknown?: boolean } = {},
): Type {
  const declared = new Map<string, FieldType>([
    ['apiVersion', { type: { scalar: 'string' } }],
    ['kind', { type: { scalar: 'string' } }],
    ['metadata', { type: schemaType(objectMetaSchema) }],
  ]);
  for (const [name, schema] of fields) declared.set(name, fieldType(schema, keepsUnknown));
  const element = keepsUnknown ? deduced : undefined;
  return { map: { fields: declared, element, relationship: 'separable' } };
}

/** `keepsUnknown` is inherited: below a field that preserves unknown fields all do. */
function typeOf(schema: JsonMap, keepsUnknown: boolean): Type {
  const keeps = keepsUnknown || schema['x-kubernetes-preserve-unknown-fields'] === true;
  switch (schema.type) {
    case 'object':
      return { map: mapType(schema, keeps) };
    case 'array':
      return { list: listType(schema, keeps) };
    case 'integer':
    case 'number':
      return { scalar: 'numeric' };
    case 'boolean':
      return { scalar: 'boolean' };
    case 'string':
      return { scalar: stringScalar(schema.format) };
    // Without a type it may be anything; so is what is an integer or a string, until it is validated.
    default:
      return { scalar: 'untyped', list: listType(schema, keeps), map: mapType(schema, keeps) };
  }
}

function stringScalar(format: unknown): Scalar {
  return format === undefined || format === '' || format === 'byte' ? 'string' : 'untyped';
}

function fieldType(schema: JsonMap, keepsUnknown: boolean): FieldType {
  const type = typeOf(schema, keepsUnknown);
  return schema.default === undefined ? { type } : { type, default: schema.default };
}

function mapType(schema: JsonMap, keepsUnknown: boolean): MapType {
  const declared = isMap(schema.properties) ? schema.properties : {};
  const isObject = schema['x-kubernetes-embedded-resource'] === true;
  const properties = Object.entries(isObject ? { ...declared, ...embedded } : declared);
  const fields = properties.map(
    ([name, one]) => [name, fieldType(one as JsonMap, keepsUnknown)] as const,
  );
  return {
    fields: new Map(fields),
    element: elementType(schema, keepsUnknown, fields.length > 0),
    relationship: schema['x-kubernetes-map-type'] === 'atomic' ? 'atomic' : 'separable',
  };
}

function elementType(
  { additionalProperties }: JsonMap,
  keepsUnknown: boolean,
  hasFields: boolean,
): Type | undefined {
  if (isMap(additionalProperties)) return typeOf(additionalProperties, keepsUnknown);
  if (additionalProperties === true) return deduced;
  if (additionalProperties === false) return undefined;
  return keepsUnknown || !hasFields ? deduced : undefined;
}

function listType(schema: JsonMap, keepsUnknown: boolean): ListType {
  const { items } = schema;
  const element = isMap(items) ? typeOf(items, keepsUnknown) : untypedAtomic;
  const keys = associativeKeys(schema);
  return keys === undefined
    ? { element, relationship: 'atomic', keys: [] }
    : { element, relationship: 'associative', keys };
}

/** The keys of a list that is merged item by item; undefined for one that is replaced as a whole. */
function associativeKeys(schema: JsonMap): readonly string[] | undefined {
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return [];
    case 'map':
      return (schema['x-kubernetes-list-map-keys'] ?? []) as readonly string[];
    case 'atomic':
      return undefined;
    default: {
      const strategy = schema['x-kubernetes-patch-strategy'];
      if (strategy !== 'merge' && strategy !== 'merge,retainKeys') return undefined;
      const key = schema['x-kubernetes-patch-merge-key'];
      return typeof key === 'string' ? [key] : [];
    }
  }
}

const text = { type: 'string' };
const time = { type: 'string', format: 'date-time' };
const integer = { type: 'integer', format: 'int64' };
const texts = { type: 'object', additionalProperties: text };

const objectMetaSchema: JsonMap = {
  type: 'object',
  properties: {
    name: text,
    generateName: text,
    namespace: text,
    selfLink: text,
    uid: text,
    resourceVersion: text,
    generation: integer,
    creationTimestamp: time,
    deletionTimestamp: time,
    deletionGracePeriodSeconds: integer,
    labels: texts,
    annotations: texts,
    ownerReferences: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          apiVersion: text,
          kind: text,
          name: text,
          uid: text,
          controller: { type: 'boolean' },
          blockOwnerDeletion: { type: 'boolean' },
        },
        'x-kubernetes-map-type': 'atomic',
      },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['uid'],
    },
    finalizers: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    managedFields: {
      type: 'array',
      items: { type: 'object' },
      'x-kubernetes-list-type': 'atomic',
    },
  },
};

/** What every object has, also one within another. */
const embedded: JsonMap = { apiVersion: text, kind: text, metadata: objectMetaSchema };
