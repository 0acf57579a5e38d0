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

/** The type of values that a JSON Schema with Kubernetes' extensions describes. */
export function schemaType(schema: JsonMap): Type {
  return typeOf(schema, false);
}

/**
 * The type of an object with the metadata of every kind and the declared fields. `preservesUnknown` allows undeclared
 * fields.
 */
export function objectType(
  fields: Iterable<readonly [string, JsonMap]>,
  { preservesUnknown = false }: { readonly preservesUnknown?: boolean } = {},
): Type {
  const declared = new Map<string, FieldType>([
    ['apiVersion', { type: { scalar: 'string' } }],
    ['kind', { type: { scalar: 'string' } }],
    ['metadata', { type: schemaType(objectMetaSchema) }],
  ]);
  for (const [name, schema] of fields) declared.set(name, fieldType(schema, preservesUnknown));
  const element = preservesUnknown ? deduced : undefined;
  return { map: { fields: declared, element, relationship: 'separable' } };
}

/** `preservesUnknown` is inherited: all fields below a field that preserves unknown fields do so as well. */
function typeOf(schema: JsonMap, preservesUnknown: boolean): Type {
  const preserves = preservesUnknown || schema['x-kubernetes-preserve-unknown-fields'] === true;
  switch (schema.type) {
    case 'object':
      return { map: mapType(schema, preserves) };
    case 'array':
      return { list: listType(schema, preserves) };
    case 'integer':
    case 'number':
      return { scalar: 'numeric' };
    case 'boolean':
      return { scalar: 'boolean' };
    case 'string':
      return { scalar: stringScalar(schema.format) };
    // A schema without a type, and an int-or-string until it is validated, allows any form.
    default:
      return {
        scalar: 'untyped',
        list: listType(schema, preserves),
        map: mapType(schema, preserves),
      };
  }
}

function stringScalar(format: unknown): Scalar {
  return format === undefined || format === '' || format === 'byte' ? 'string' : 'untyped';
}

function fieldType(schema: JsonMap, preservesUnknown: boolean): FieldType {
  const type = typeOf(schema, preservesUnknown);
  return schema.default === undefined ? { type } : { type, default: schema.default };
}

function mapType(schema: JsonMap, preservesUnknown: boolean): MapType {
  const declared = isMap(schema.properties) ? schema.properties : {};
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const properties = Object.entries(isEmbedded ? { ...declared, ...objectSchemas } : declared);
  const fields = properties.map(
    ([name, property]) => [name, fieldType(property as JsonMap, preservesUnknown)] as const,
  );
  return {
    fields: new Map(fields),
    element: elementType(schema, preservesUnknown, fields.length > 0),
    relationship: schema['x-kubernetes-map-type'] === 'atomic' ? 'atomic' : 'separable',
  };
}

function elementType(
  { additionalProperties }: JsonMap,
  preservesUnknown: boolean,
  hasFields: boolean,
): Type | undefined {
  if (isMap(additionalProperties)) return typeOf(additionalProperties, preservesUnknown);
  if (additionalProperties === true) return deduced;
  if (additionalProperties === false) return undefined;
  return preservesUnknown || !hasFields ? deduced : undefined;
}

function listType(schema: JsonMap, preservesUnknown: boolean): ListType {
  const { items } = schema;
  const element = isMap(items) ? typeOf(items, preservesUnknown) : untypedAtomic;
  const keys = associativeKeys(schema);
  return keys === undefined
    ? { element, relationship: 'atomic', keys: [] }
    : { element, relationship: 'associative', keys };
}

/** The keys of an associative list, empty for a set; undefined for an atomic list. */
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

/** The schemas of the fields that every object has, including embedded ones. */
const objectSchemas: JsonMap = { apiVersion: text, kind: text, metadata: objectMetaSchema };
