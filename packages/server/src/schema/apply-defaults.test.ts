import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { applySchemaDefaults } from './apply-defaults.ts';
import { objectSchema } from './object-schema.ts';

const nullable = Type.Union([Type.String(), Type.Null()], { default: 'n' });
const inner = Type.Object(
  { a: Type.Optional(Type.Integer({ default: 5 })), b: Type.Optional(Type.Integer()) },
  { default: { b: 1 } },
);

const cases = [
  {
    name: 'a field that was left out',
    schema: { a: Type.Integer({ default: 3 }) },
    spec: {},
    becomes: { a: 3 },
  },
  {
    name: 'a field that is there',
    schema: { a: Type.Integer({ default: 3 }) },
    spec: { a: 0 },
    becomes: { a: 0 },
  },
  {
    name: 'a null where none may be',
    schema: { a: Type.Integer({ default: 3 }) },
    spec: { a: null },
    becomes: { a: 3 },
  },
  {
    name: 'a null without a default',
    schema: { a: Type.Integer() },
    spec: { a: null },
    becomes: {},
  },
  { name: 'a null that may be', schema: { a: nullable }, spec: { a: null }, becomes: { a: null } },
  { name: 'left out where null may be', schema: { a: nullable }, spec: {}, becomes: { a: 'n' } },
  {
    name: 'a default that has defaults',
    schema: { a: inner },
    spec: {},
    becomes: { a: { b: 1, a: 5 } },
  },
  {
    name: 'inside an object that is there',
    schema: { a: inner },
    spec: { a: {} },
    becomes: { a: { a: 5 } },
  },
  {
    name: 'null for an object',
    schema: { a: inner },
    spec: { a: null },
    becomes: { a: { b: 1, a: 5 } },
  },
  {
    name: 'inside a list',
    schema: { a: Type.Array(inner) },
    spec: { a: [{}, { a: 1 }] },
    becomes: { a: [{ a: 5 }, { a: 1 }] },
  },
  {
    name: 'null in a list, with a default',
    schema: { a: Type.Array(Type.Integer({ default: 9 })) },
    spec: { a: [null, 1] },
    becomes: { a: [9, 1] },
  },
  {
    name: 'null in a list, without',
    schema: { a: Type.Array(Type.Integer()) },
    spec: { a: [null] },
    becomes: { a: [null] },
  },
  {
    name: 'inside a map',
    schema: { a: Type.Record(Type.String(), inner) },
    spec: { a: { k: {} } },
    becomes: { a: { k: { a: 5 } } },
  },
  {
    name: 'null in a map, with a default',
    schema: { a: Type.Record(Type.String(), Type.Integer({ default: 8 })) },
    spec: { a: { k: null } },
    becomes: { a: { k: 8 } },
  },
  {
    name: 'null in a map, without',
    schema: { a: Type.Record(Type.String(), Type.Integer()) },
    spec: { a: { k: null } },
    becomes: { a: {} },
  },
  {
    name: 'null below a schema that says nothing',
    schema: { a: Type.Any() },
    spec: { a: { k: null } },
    becomes: { a: { k: null } },
  },
  {
    name: 'a default of null is none',
    schema: { a: Type.Integer({ default: null }) },
    spec: {},
    becomes: {},
  },
  {
    name: 'not inside what is of another type',
    schema: { a: inner },
    spec: { a: 'x' },
    becomes: { a: 'x' },
  },
];

for (const { name, schema, spec, becomes } of cases) {
  test(name, () => {
    const object = { spec: structuredClone(spec) as Record<string, unknown> };
    applySchemaDefaults(object, objectSchema({ spec: Type.Object(schema) }, ''));
    assert.deepEqual(object.spec, becomes);
  });
}

test('a default of the root is applied', () => {
  const object: Record<string, unknown> = { metadata: {} };
  applySchemaDefaults(object, objectSchema({ spec: inner }, ''));
  assert.deepEqual(object, { metadata: {}, spec: { b: 1, a: 5 } });
});

test('objects do not share defaults', () => {
  const schema = objectSchema({ spec: inner }, '');
  const [one, other] = [{}, {}] as [{ spec?: { b?: number } }, { spec?: { b?: number } }];
  applySchemaDefaults(one, schema);
  if (one.spec) one.spec.b = 7;
  applySchemaDefaults(other, schema);
  assert.equal(other.spec?.b, 1);
});

test('defaults of a field __proto__ are data', () => {
  const properties = JSON.parse(
    '{"__proto__":{"type":"object","default":{"polluted":true}}}',
  ) as object;
  const spec = Type.Unsafe<unknown>({ type: 'object', properties });
  const object = { spec: {} };
  applySchemaDefaults(object, objectSchema({ spec }, ''));
  assert.equal(JSON.stringify(object.spec), '{"__proto__":{"polluted":true}}');
  assert.equal(Object.getPrototypeOf(object.spec), Object.prototype);
});

test('a default that contains itself is an error, not an endless loop', () => {
  const properties = { next: { $ref: '#', default: {} } };
  const spec = Type.Unsafe<unknown>({ type: 'object', properties });
  assert.throws(
    () => applySchemaDefaults({ spec: {} }, objectSchema({ spec }, '')),
    /^Error: the defaults of a recursive schema never end$/,
  );
});
