/** Schemas of whole objects, as versions of custom resources have them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldErrorText, type KubeObject } from '@tributary/apimachinery';
import { applySchemaDefaults } from '../schema/apply-defaults.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { rootSchema } from '../schema/object-schema.ts';
import { pruneObject } from '../schema/prune.ts';
import { objectValidator, schemaValidator } from './schema-validation.ts';

const type = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' } };

function errorsOf(schema: JsonSchema, object: object, live?: object): string[] {
  const options = { live: live as KubeObject | undefined };
  return objectValidator(rootSchema(schema))
    .validate(object as KubeObject, options)
    .map(fieldErrorText);
}

const validationRows = [
  {
    name: 'something required',
    schema: { type: 'object', required: ['spec'] },
    object: type,
    want: ['spec: Required value'],
  },
  {
    name: 'too few fields',
    schema: { type: 'object', minProperties: 4 },
    object: type,
    want: ['<nil>: Invalid value: 3:  in body should have at least 4 properties'],
  },
  {
    name: 'the name is restricted',
    schema: {
      type: 'object',
      properties: {
        metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 2 } } },
      },
    },
    object: { ...type, metadata: { name: 'abc' } },
    want: ['metadata.name: Too long: may not be more than 2 bytes'],
  },
  {
    name: 'alternatives',
    schema: { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    object: { ...type, a: 1, b: 1 },
    want: [
      '<nil>: Invalid value: "": "" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ],
  },
  {
    name: 'alternatives of a number or a text are not folded',
    schema: {
      type: 'object',
      properties: {
        v: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
      },
    },
    object: { ...type, v: true },
    want: [
      'v: Invalid value: "boolean": v in body must be of type integer,string: "boolean"',
      '<nil>: Invalid value: "": "v" must validate at least one schema (anyOf)',
      'v: Invalid value: "boolean": v in body must be of type integer: "boolean"',
    ],
  },
  {
    name: 'patterns are those of Go',
    schema: { type: 'object', properties: { v: { type: 'string', pattern: '^(?P<x>\\pL)\\z' } } },
    object: { ...type, v: 'é' },
    want: [],
  },
];

for (const { name, schema, object, want } of validationRows) {
  test(`a whole object is validated: ${name}`, () => {
    assert.deepEqual(errorsOf(schema, object).toSorted(), want.toSorted());
  });
}

test('a pattern that causes backtracking elsewhere is matched in linear time', () => {
  const schema = { type: 'object', properties: { v: { type: 'string', pattern: '^(a+)+$' } } };
  const before = process.threadCpuUsage();
  assert.equal(errorsOf(schema, { ...type, v: `${'a'.repeat(50_000)}!` }).length, 1);
  const { user } = process.threadCpuUsage(before);
  assert.ok(user < 1_000_000, `${user} µs`);
});

test('a text that takes too long to match is invalid', () => {
  const pattern = '(a|b)*a(a|b){400}c';
  const schema = { type: 'object', properties: { v: { type: 'string', pattern } } };
  let state = 1;
  const letters = Array.from({ length: 100_000 }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return state & 0x10000 ? 'a' : 'b';
  });
  const [error] = errorsOf(schema, { ...type, v: `${letters.join('')}c` });
  assert.ok(error?.endsWith(`v in body should match '${pattern}'`));
});

test('an invalid pattern is reported at the field', () => {
  const schema = { type: 'object', properties: { v: { type: 'string', pattern: '(' } } };
  assert.deepEqual(errorsOf(schema, { ...type, v: 'x' }), [
    'v: Invalid value: "x": v in body should match \'(, but pattern is invalid: error parsing regexp: missing closing ): `(`\'',
  ]);
});

test('a whole object is validated on write, not on read', () => {
  const schema = rootSchema({ type: 'object', required: ['spec'] });
  assert.deepEqual(schemaValidator(schema)(type as KubeObject), []);
});

const pruned = [
  {
    name: 'unknown fields go, type and metadata stay',
    schema: { type: 'object', properties: { spec: { type: 'object' } } },
    want: { ...type, spec: {} },
    unknown: ['spec.more', 'other'],
  },
  {
    name: 'what is restricted in metadata says nothing of the rest',
    schema: {
      type: 'object',
      properties: {
        metadata: { type: 'object', properties: { generateName: { type: 'string' } } },
      },
    },
    want: type,
    unknown: ['spec', 'other'],
  },
  {
    name: 'everything unknown is kept, but not what is known',
    schema: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { spec: { type: 'object' } },
    },
    want: { ...type, spec: {}, other: 1 },
    unknown: ['spec.more'],
  },
];

for (const { name, schema, want, unknown } of pruned) {
  test(`pruning: ${name}`, () => {
    const object = { ...structuredClone(type), spec: { more: 1 }, other: 1 };
    assert.deepEqual(pruneObject(object, rootSchema(schema)), unknown);
    assert.deepEqual(object, want);
  });
}

test('defaults are applied from the root', () => {
  const schema = rootSchema({
    type: 'object',
    properties: {
      spec: { type: 'object', default: {}, properties: { n: { type: 'integer', default: 3 } } },
    },
  });
  const object: Record<string, unknown> = { ...type };
  applySchemaDefaults(object, schema);
  assert.deepEqual(object, { ...type, spec: { n: 3 } });
});

test('fields of a root schema exclude type and metadata', () => {
  const schema = rootSchema({
    type: 'object',
    description: 'A thing.',
    properties: { kind: { type: 'string' }, metadata: {}, spec: { type: 'object' }, data: {} },
  });
  assert.deepEqual([...schema.fields.keys()], ['spec', 'data']);
  assert.equal(schema.description, 'A thing.');
});

test('unused root schemas are not compiled', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [`f${index}`, { type: 'string', pattern: '^a+$' }]),
  );
  const schema = { type: 'object', properties: { spec: { type: 'object', properties } } };
  const before = process.threadCpuUsage();
  for (let index = 0; index < 500; index++) objectValidator(rootSchema(schema));
  const { user } = process.threadCpuUsage(before);
  assert.ok(user < 200_000, `${user} µs`);
});
