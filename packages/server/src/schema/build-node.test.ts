import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type, { type TSchema } from 'typebox';
import { objectSchema } from './object-schema.ts';
import type { SchemaNode } from './schema-node.ts';
import { EMPTY_NODE } from './schema-node.ts';

function nodeOf(spec: TSchema): SchemaNode | undefined {
  return objectSchema({ spec }, '').structure.properties.get('spec');
}

/** Returns the fields in which a node differs from that of an empty schema. */
function specified(spec: TSchema): Record<string, unknown> {
  const node = nodeOf(spec);
  return Object.fromEntries(
    Object.entries(node ?? {}).filter(
      ([name, value]) =>
        JSON.stringify(value) !== JSON.stringify(EMPTY_NODE[name as keyof SchemaNode]) &&
        !(value instanceof Map),
    ),
  );
}

const free = { preserveUnknownFields: true };
const kinds = [
  { name: 'Literal', schema: Type.Literal('a'), becomes: { types: ['string'], enum: ['a'] } },
  {
    name: 'Union of literals',
    schema: Type.Union([Type.Literal('a'), Type.Literal('b')], { default: 'a' }),
    becomes: { types: ['string'], enum: ['a', 'b'], default: 'a' },
  },
  {
    name: 'Union of literals of several types',
    schema: Type.Union([Type.Literal('a'), Type.Literal(1)]),
    becomes: { enum: ['a', 1] },
  },
  { name: 'Enum', schema: Type.Enum([1, 2]), becomes: { types: ['integer'], enum: [1, 2] } },
  {
    name: 'Enum with null',
    schema: Type.Unsafe<unknown>({ enum: ['a', null] }),
    becomes: { types: ['string'], nullable: true, enum: ['a', null] },
  },
  {
    name: 'Union with Null',
    schema: Type.Union([Type.String({ minLength: 1 }), Type.Null()]),
    becomes: { types: ['string'], nullable: true, minLength: 1 },
  },
  {
    name: 'Union of Integer and String',
    schema: Type.Union([Type.Integer(), Type.String()]),
    becomes: { types: ['integer', 'string'] },
  },
  {
    name: 'several types',
    schema: Type.Unsafe<unknown>({ type: ['integer', 'null'] }),
    becomes: { types: ['integer'], nullable: true },
  },
  { name: 'Any', schema: Type.Any(), becomes: free },
  { name: 'Unknown', schema: Type.Unknown(), becomes: free },
  {
    name: 'excluded bounds',
    schema: Type.Integer({ exclusiveMinimum: 1, minimum: 1 }),
    becomes: { types: ['integer'], minimum: { value: 1, exclusive: true } },
  },
  {
    name: 'the stricter bound',
    schema: Type.Integer({ exclusiveMinimum: 1, minimum: 2 }),
    becomes: { types: ['integer'], minimum: { value: 2, exclusive: false } },
  },
  {
    name: 'a bound of zero',
    schema: Type.Integer({ minimum: 0 }),
    becomes: { types: ['integer'], minimum: { value: 0, exclusive: false } },
  },
];

for (const { name, schema, becomes } of kinds) {
  test(name, () => {
    assert.deepEqual(JSON.parse(JSON.stringify(specified(schema))), becomes);
  });
}

test('an Intersect of objects becomes one object', () => {
  const node = nodeOf(
    Type.Intersect([
      Type.Object({ a: Type.String() }),
      Type.Object({ b: Type.Optional(Type.Integer()) }),
    ]),
  );
  assert.deepEqual([...(node?.properties.keys() ?? [])], ['a', 'b']);
  assert.deepEqual(node?.required, ['a']);
  assert.deepEqual(node?.allOf, []);
});

test('a Record becomes a map', () => {
  const node = nodeOf(Type.Record(Type.String(), Type.Integer()));
  assert.ok(node?.additionalProperties);
  assert.deepEqual(node.additionalProperties.types, ['integer']);
});

test('a Ref is resolved in the innermost scope', () => {
  const node = nodeOf(
    Type.Unsafe<unknown>({
      $defs: {
        A: { type: 'object', properties: { b: { $ref: '#/$defs/B' } } },
        B: { type: 'string' },
      },
      type: 'object',
      properties: { a: { $ref: 'A' } },
    }),
  );
  assert.deepEqual(node?.properties.get('a')?.properties.get('b')?.types, ['string']);
});

test('a nullable reference may refer to a schema in progress', () => {
  const node = nodeOf(
    Type.Unsafe<unknown>({
      type: 'object',
      properties: { next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } },
    }),
  );
  const next = node?.properties.get('next');
  assert.equal(next?.nullable, true);
  assert.deepEqual(next?.types, ['object']);
});

const mistakes = [
  { name: 'BigInt', schema: Type.BigInt(), why: 'JSON has no type bigint' },
  { name: 'Undefined', schema: Type.Undefined(), why: 'JSON has no type undefined' },
  {
    name: 'if',
    schema: Type.Unsafe<unknown>({ if: {} }),
    why: 'if is not checked by Kubernetes schemas',
  },
  {
    name: 'dependentRequired',
    schema: Type.Unsafe<unknown>({ type: 'object', dependentRequired: { a: ['b'] } }),
    why: 'dependentRequired is not checked by Kubernetes schemas',
  },
  {
    name: 'a list-type map without keys',
    schema: Type.Array(Type.Object({}), { 'x-kubernetes-list-type': 'map' }),
    why: 'a list of type map, and no other, needs x-kubernetes-list-map-keys',
  },
  {
    name: 'a pattern that is none',
    schema: Type.String({ pattern: '(' }),
    why: 'pattern: Invalid regular expression: /(/: Unterminated group',
  },
  {
    name: 'no schema',
    schema: Type.Unsafe<unknown>({ items: 1 }),
    path: '[]',
    why: 'a schema is an object',
  },
];

for (const { name, schema, why, path = '' } of mistakes) {
  test(`an unsupported schema is an error: ${name}`, () => {
    assert.throws(
      () => objectSchema({ spec: Type.Object({ a: Type.Array(schema) }) }, ''),
      new Error(`schema of spec.a[]${path}: ${why}`),
    );
  });
}

test('patterns for keys of a map are an error', () => {
  const spec = Type.Record(Type.String({ pattern: '^a' }), Type.Integer());
  assert.throws(
    () => objectSchema({ spec }, ''),
    /keys of a map cannot be restricted by a pattern/,
  );
});

test('a pattern may have redundant escapes', () => {
  const node = nodeOf(Type.String({ pattern: '^a\\-b$' }));
  assert.equal(node?.pattern?.matches('a-b'), true);
});
