import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import type { SchemaObject } from '../schema/openapi-schema.ts';
import { schemaV2, schemaV3 } from './schema-forms.ts';
import { translateSchema } from './translate-schema.ts';

const ANYTHING = { 'x-kubernetes-preserve-unknown-fields': true };
const INT64 = { type: 'integer', format: 'int64' };

interface Row {
  readonly name: string;
  readonly source: unknown;
  readonly v3: SchemaObject | object;
  /** Omitted where it is the same. */
  readonly v2?: object;
}

const rows: Row[] = [
  { name: 'text', source: Type.String({ minLength: 1 }), v3: { type: 'string', minLength: 1 } },
  { name: 'an integer has 64 bits', source: Type.Integer(), v3: INT64 },
  {
    name: 'unless it says otherwise',
    source: Type.Integer({ format: 'int32' }),
    v3: { type: 'integer', format: 'int32' },
  },
  { name: 'a number has no format', source: Type.Number(), v3: { type: 'number' } },
  {
    name: 'a default is for version 3 only',
    source: Type.Boolean({ default: true }),
    v3: { type: 'boolean', default: true },
    v2: { type: 'boolean' },
  },
  {
    name: 'an excluded bound',
    source: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 10 },
    v3: {
      type: 'number',
      minimum: 0,
      exclusiveMinimum: true,
      maximum: 10,
      exclusiveMaximum: true,
    },
  },
  {
    name: 'the stricter of two bounds',
    source: { type: 'number', minimum: 5, exclusiveMinimum: 0 },
    v3: { type: 'number', minimum: 5, exclusiveMinimum: false },
  },
  {
    name: 'a flag on a bound, as custom resources have it',
    source: { type: 'number', minimum: 5, exclusiveMinimum: true },
    v3: { type: 'number', minimum: 5, exclusiveMinimum: true },
  },
  { name: 'a literal', source: Type.Literal('a'), v3: { type: 'string', enum: ['a'] } },
  {
    name: 'a union of literals',
    source: Type.Union([Type.Literal('a'), Type.Literal('b')], { default: 'a' }),
    v3: { type: 'string', enum: ['a', 'b'], default: 'a' },
    v2: { type: 'string', enum: ['a', 'b'] },
  },
  {
    name: 'literals of several types',
    source: Type.Union([Type.Literal(1), Type.Literal('b')]),
    v3: { enum: [1, 'b'] },
    v2: {},
  },
  {
    name: 'an enumeration without a type',
    source: Type.Enum(['a', 'b']),
    v3: { type: 'string', enum: ['a', 'b'] },
  },
  {
    name: 'an enumeration with null',
    source: { enum: ['a', null] },
    v3: { type: 'string', enum: ['a', null], nullable: true },
    v2: {},
  },
  {
    name: 'or null',
    source: Type.Union([Type.String({ maxLength: 3 }), Type.Null()], { description: 'd' }),
    v3: { description: 'd', type: 'string', maxLength: 3, nullable: true },
    v2: { description: 'd' },
  },
  {
    name: 'or null, as a list of types',
    source: { type: ['string', 'null'] },
    v3: { type: 'string', nullable: true },
    v2: {},
  },
  {
    name: 'literals or null',
    source: Type.Union([Type.Literal('a'), Type.Literal('b'), Type.Null()]),
    v3: { type: 'string', enum: ['a', 'b'], nullable: true },
    v2: {},
  },
  { name: 'nothing but null', source: Type.Null(), v3: { nullable: true, enum: [null] }, v2: {} },
  {
    name: 'null where something is required',
    source: {
      type: 'object',
      properties: { a: { type: ['string', 'null'] }, b: { type: 'string' } },
      required: ['a', 'b'],
    },
    v3: {
      type: 'object',
      properties: { a: { type: 'string', nullable: true }, b: { type: 'string' } },
      required: ['a', 'b'],
    },
    v2: { type: 'object', properties: { a: {}, b: { type: 'string' } }, required: ['b'] },
  },
  {
    name: 'nothing but null is required',
    source: {
      type: 'object',
      properties: { a: { type: ['string', 'null'] } },
      required: ['a'],
    },
    v3: {
      type: 'object',
      properties: { a: { type: 'string', nullable: true } },
      required: ['a'],
    },
    v2: { type: 'object', properties: { a: {} } },
  },
  {
    name: 'a number or text',
    source: Type.Union([Type.Integer(), Type.String()]),
    v3: { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true },
    v2: { 'x-kubernetes-int-or-string': true },
  },
  {
    name: 'a number or text, as the keyword alone',
    source: { 'x-kubernetes-int-or-string': true },
    v3: {
      anyOf: [{ type: 'integer' }, { type: 'string' }],
      'x-kubernetes-int-or-string': true,
    },
    v2: { 'x-kubernetes-int-or-string': true },
  },
  {
    name: 'other alternatives',
    source: Type.Union([Type.Boolean(), Type.Array(Type.String())]),
    v3: { anyOf: [{ type: 'boolean' }, { type: 'array', items: { type: 'string' } }] },
    v2: {},
  },
  {
    name: 'alternatives that only constrain',
    source: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    v3: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    v2: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } },
  },
  {
    name: 'a union of objects shows the fields of all',
    source: Type.Union([
      Type.Object({ type: Type.Literal('circle'), radius: Type.Number() }),
      Type.Object({ type: Type.Literal('square'), side: Type.Number() }),
    ]),
    v3: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['circle', 'square'] },
        radius: { type: 'number' },
        side: { type: 'number' },
      },
      required: ['type'],
    },
  },
  {
    name: 'an intersection of objects',
    source: Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })]),
    v3: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      required: ['a', 'b'],
    },
  },
  {
    name: 'an intersection that contradicts itself stays one',
    source: { allOf: [{ type: 'string' }, { type: 'boolean' }] },
    v3: { type: 'string', allOf: [{ type: 'boolean' }] },
    v2: { type: 'string' },
  },
  {
    name: 'an object, closed or not',
    source: Type.Object({ a: Type.Optional(Type.String()) }, { additionalProperties: false }),
    v3: { type: 'object', properties: { a: { type: 'string' } } },
  },
  { name: 'an object without fields', source: Type.Object({}), v3: { type: 'object' } },
  {
    name: 'a map',
    source: Type.Record(Type.String(), Type.Integer()),
    v3: { type: 'object', additionalProperties: INT64 },
  },
  {
    name: 'a map of anything',
    source: Type.Record(Type.String(), Type.Any()),
    v3: { type: 'object', additionalProperties: ANYTHING },
  },
  {
    name: 'fields with and without names',
    source: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true },
    v3: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true },
    v2: {},
  },
  { name: 'anything', source: Type.Any(), v3: ANYTHING },
  {
    name: 'anything, with words',
    source: Type.Unknown({ description: 'd' }),
    v3: { description: 'd', ...ANYTHING },
  },
  { name: 'true', source: true, v3: ANYTHING },
  { name: 'never', source: Type.Never(), v3: { not: ANYTHING }, v2: {} },
  {
    name: 'unknown fields are kept',
    source: { type: 'object', properties: { a: { type: 'string' } }, ...ANYTHING },
    v3: { type: 'object', properties: { a: { type: 'string' } }, ...ANYTHING },
    v2: ANYTHING,
  },
  {
    name: 'a list with a key',
    source: Type.Array(Type.Object({ k: Type.String() }), {
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    }),
    v3: {
      type: 'array',
      items: { type: 'object', properties: { k: { type: 'string' } }, required: ['k'] },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    },
  },
  {
    name: 'a list of nobody knows what',
    source: { type: 'array' },
    v3: { type: 'array', items: ANYTHING },
  },
  {
    name: 'a tuple',
    source: Type.Tuple([Type.String(), Type.Boolean()]),
    v3: {
      type: 'array',
      items: { anyOf: [{ type: 'string' }, { type: 'boolean' }] },
      minItems: 2,
      maxItems: 2,
    },
    v2: { type: 'array', items: {}, minItems: 2, maxItems: 2 },
  },
  {
    name: 'base64',
    source: { type: 'string', contentEncoding: 'base64' },
    v3: { type: 'string', format: 'byte' },
  },
  {
    name: 'the first example',
    source: Type.String({ examples: ['a', 'b'] }),
    v3: { type: 'string', example: 'a' },
  },
  {
    name: 'keywords that OpenAPI does not have are left out, extensions are not',
    source: {
      $id: 'x',
      $comment: 'x',
      type: 'string',
      propertyNames: {},
      if: {},
      'x-kubernetes-validations': [{ rule: 'self != ""' }],
    },
    v3: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self != ""' }] },
  },
  {
    name: 'only some values',
    source: { type: 'string', not: { enum: ['a'] } },
    v3: { type: 'string', not: { type: 'string', enum: ['a'] } },
    v2: { type: 'string' },
  },
  {
    name: 'a field called __proto__',
    source: JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'),
    v3: JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'),
  },
];
for (const { name, source, v3, v2 = v3 } of rows) {
  test(name, () => {
    const schema = translated(source);
    assert.deepEqual(plain(schemaV3(schema)), plain(v3));
    assert.deepEqual(plain(schemaV2(schema)), plain(v2));
  });
}

test('named parts become definitions, and references can go in circles', () => {
  const definitions = new Map<string, SchemaObject>();
  const node = Type.Module({
    Node: Type.Object({ next: Type.Optional(Type.Ref('Node')) }),
  }).Node;
  const schema = translated(Type.Object({ tree: node }), definitions);
  assert.deepEqual(schema.properties, { tree: { $ref: 'x.Node' } });
  assert.deepEqual(definitions.get('x.Node'), {
    type: 'object',
    properties: { next: { $ref: 'x.Node' } },
  });
});

test('a pointer refers like a bare name', () => {
  const source = { $defs: { A: { type: 'string' } }, items: { $ref: '#/$defs/A' }, type: 'array' };
  assert.deepEqual(translated(source), { type: 'array', items: { $ref: 'x.A' } });
});

const references: Row[] = [
  {
    name: 'a reference or null',
    source: Type.Union([Type.Ref('A'), Type.Null()], { description: 'd', default: null }),
    v3: {
      description: 'd',
      default: null,
      nullable: true,
      allOf: [{ $ref: '#/components/schemas/x.A' }],
    },
    v2: { description: 'd' },
  },
  {
    name: 'a reference among others',
    source: { allOf: [{ $ref: 'A' }, { type: 'object', minProperties: 1 }] },
    v3: {
      allOf: [{ $ref: '#/components/schemas/x.A' }, { type: 'object', minProperties: 1 }],
    },
    v2: {},
  },
  {
    name: 'one of several references',
    source: { anyOf: [{ $ref: 'A' }, { $ref: 'B' }] },
    v3: { anyOf: [{ $ref: '#/components/schemas/x.A' }, { $ref: '#/components/schemas/x.B' }] },
    v2: {},
  },
];
for (const { name, source, v3, v2 = v3 } of references) {
  test(name, () => {
    assert.deepEqual(plain(schemaV3(translated(source))), v3);
    assert.deepEqual(plain(schemaV2(translated(source))), v2);
  });
}

test('a schema that refers to itself as a whole becomes a definition', () => {
  const definitions = new Map<string, SchemaObject>();
  const schema = translated(Type.Object({ a: Type.Array(Type.This()) }), definitions);
  assert.deepEqual(schema, { $ref: 'x.#' });
  assert.deepEqual(definitions.get('x.#')?.properties, {
    a: { type: 'array', items: { $ref: 'x.#' } },
  });
});

test('two different parts cannot have one name', () => {
  const source = {
    properties: {
      a: { $defs: { A: { type: 'string' } }, $ref: 'A' },
      b: { $defs: { A: { type: 'boolean' } }, $ref: 'A' },
    },
  };
  assert.throws(() => translated(source), /x\.A: two different schemas have the same name/);
});

test('words beside a reference stay: beside it in version 2, around it in version 3', () => {
  const schema: SchemaObject = { $ref: 'a.B', description: 'd' };
  assert.deepEqual(schemaV2(schema), { description: 'd', $ref: '#/definitions/a.B' });
  assert.deepEqual(schemaV3(schema), {
    description: 'd',
    allOf: [{ $ref: '#/components/schemas/a.B' }],
  });
  assert.deepEqual(schemaV3({ $ref: 'a.B' }), { $ref: '#/components/schemas/a.B' });
});

function translated(source: unknown, definitions = new Map<string, SchemaObject>()): SchemaObject {
  return translateSchema(source, { definitionName: (local) => `x.${local}`, definitions });
}

/** Only the encoded part. */
function plain(schema: object): unknown {
  return JSON.parse(JSON.stringify(schema));
}
