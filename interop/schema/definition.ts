/** A kind whose schema has every keyword that the reference server checks in a CustomResourceDefinition. */
import Type, { type TSchema } from 'typebox';
import { defineApi, defineResource, version } from '../../packages/server/src/index.ts';

export const formats = [
  'bsonobjectid',
  'byte',
  'cidr',
  'creditcard',
  'date',
  'date-time',
  'duration',
  'email',
  'hexcolor',
  'hostname',
  'ipv4',
  'ipv6',
  'isbn',
  'isbn10',
  'isbn13',
  'k8s-long-name',
  'k8s-short-name',
  'mac',
  'password',
  'rgbcolor',
  'ssn',
  'uri',
  'uuid',
  'uuid3',
  'uuid4',
  'uuid5',
  'somethingelse',
] as const;

const schema = (source: object): TSchema => Type.Unsafe<unknown>(source);

const variants = {
  type: 'object',
  properties: {
    a: { type: 'integer' },
    b: { type: 'string' },
    c: { type: 'array', items: { type: 'string' } },
  },
};

const fields = {
  text: Type.String({ minLength: 2, maxLength: 5 }),
  pattern: Type.String({ pattern: '^a+$' }),
  formats: Type.Object(
    Object.fromEntries(formats.map((format) => [format, Type.Optional(Type.String({ format }))])),
  ),
  count: Type.Integer({ minimum: 1, maximum: 10 }),
  between: Type.Integer({ exclusiveMinimum: 1, exclusiveMaximum: 5 }),
  number: Type.Number({ minimum: 0.5, maximum: 99.5 }),
  betweenNumbers: Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1_000_000 }),
  long: Type.Integer({ format: 'int64' }),
  longBelow: Type.Integer({ maximum: 2 ** 60, exclusiveMinimum: -(2 ** 60) }),
  int32: Type.Integer({ format: 'int32' }),
  float: Type.Number({ format: 'float' }),
  double: Type.Number({ format: 'double' }),
  multiple: Type.Integer({ multipleOf: 3 }),
  multipleNumber: Type.Number({ multipleOf: 0.5 }),
  flag: Type.Boolean(),
  colour: Type.Union([Type.Literal('red'), Type.Literal('green')]),
  level: Type.Enum([1, 2, 3]),
  share: schema({ type: 'number', enum: [1, 2.5] }),
  choice: schema({ type: 'string', nullable: true, enum: ['a', 'b'] }),
  list: Type.Array(Type.String({ maxLength: 3 }), { minItems: 1, maxItems: 3 }),
  matrix: Type.Array(Type.Array(Type.Integer({ minimum: 0 }))),
  objects: Type.Array(
    Type.Object({ name: Type.String(), size: Type.Optional(Type.Integer({ default: 4 })) }),
  ),
  set: Type.Array(Type.String(), { 'x-kubernetes-list-type': 'set' }),
  ports: Type.Array(
    Type.Object({
      port: Type.Integer(),
      protocol: Type.Optional(Type.String({ default: 'TCP' })),
      note: Type.Optional(Type.String()),
    }),
    { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['port', 'protocol'] },
  ),
  parts: Type.Array(Type.Object({ key: Type.String() }), {
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['key'],
  }),
  labels: Type.Record(Type.String(), Type.String({ maxLength: 3 })),
  byName: Type.Record(
    Type.String(),
    Type.Object({
      a: Type.Optional(Type.Integer({ default: 1 })),
      b: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      set: Type.Optional(Type.Array(Type.Integer(), { 'x-kubernetes-list-type': 'set' })),
    }),
  ),
  small: Type.Record(Type.String(), Type.Integer(), { minProperties: 1, maxProperties: 2 }),
  needs: Type.Object({
    must: Type.String(),
    also: Type.Integer(),
    may: Type.Optional(Type.Boolean()),
  }),
  nullable: Type.Union([Type.String(), Type.Null()]),
  nullableDefault: Type.Union([Type.String(), Type.Null()], { default: 'n' }),
  defaulted: Type.Integer({ default: 3 }),
  defaultedObject: Type.Object(
    {
      a: Type.Optional(Type.Integer({ default: 5 })),
      deep: Type.Optional(
        Type.Object({ on: Type.Optional(Type.Boolean({ default: true })) }, { default: {} }),
      ),
    },
    { default: { a: 7 } },
  ),
  defaultedItems: Type.Array(Type.Integer({ default: 9 })),
  defaultedValues: Type.Record(Type.String(), Type.Integer({ default: 8 })),
  nullableItems: Type.Array(Type.Union([Type.Integer(), Type.Null()])),
  intOrString: Type.Union([Type.Integer(), Type.String()]),
  intOrName: schema({
    'x-kubernetes-int-or-string': true,
    anyOf: [{ type: 'integer' }, { type: 'string' }],
    pattern: '^[a-z]+$',
    maximum: 9,
  }),
  free: schema({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
  anything: schema({ 'x-kubernetes-preserve-unknown-fields': true }),
  partlyFree: schema({
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    properties: {
      known: { type: 'object', properties: { x: { type: 'integer' } } },
      list: { type: 'array', items: { type: 'object', properties: { x: { type: 'integer' } } } },
    },
  }),
  freeList: schema({
    type: 'array',
    'x-kubernetes-preserve-unknown-fields': true,
    items: { type: 'object', properties: { x: { type: 'object' } } },
  }),
  template: schema({
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  }),
  templates: schema({
    type: 'array',
    items: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: { spec: { type: 'object', properties: { x: { type: 'integer' } } } },
    },
  }),
  anyOf: schema({
    ...variants,
    anyOf: [
      { required: ['a'], properties: { a: { minimum: 5 } } },
      { required: ['b'], properties: { b: { minLength: 3 } } },
    ],
  }),
  oneOf: schema({ ...variants, oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
  allOf: schema({
    ...variants,
    allOf: [{ required: ['a'] }, { properties: { b: { maxLength: 2 } } }],
  }),
  not: schema({ ...variants, not: { required: ['a', 'b'] } }),
  tangled: schema({
    ...variants,
    allOf: [
      { anyOf: [{ required: ['a'] }, { not: { required: ['b'] } }] },
      { oneOf: [{ properties: { a: { maximum: 3 } } }, { properties: { c: { minItems: 2 } } }] },
    ],
  }),
};

export const Thing = defineResource({
  kind: 'Thing',
  plural: 'things',
  scope: 'Namespaced',
  versions: {
    v1: version({
      spec: Type.Object(
        Object.fromEntries(
          Object.entries(fields).map(([name, field]) => [name, Type.Optional(field as TSchema)]),
        ),
      ),
    }),
  },
});

export const api = defineApi({ group: 'schema.example.com', resources: [Thing] });
