import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rendered } from '../../test/evaluate.ts';
import { equal } from '../values/equality.ts';
import { CelError } from '../values/errors.ts';
import type { Json } from '../values/json.ts';
import type { Schema } from './schema.ts';
import { typedValue } from './typed-value.ts';

const values: readonly (readonly [name: string, data: Json, schema: Schema, value: string])[] = [
  ['an integer', 3, { type: 'integer' }, '3'],
  ['a large integer', 9223372036854775807n, { type: 'integer' }, '9223372036854775807'],
  ['a whole number', 3, { type: 'number' }, '3.0'],
  ['a date', '2020-01-01', { type: 'string', format: 'date' }, 'timestamp(1577836800000000000)'],
  ['a duration', '1m', { type: 'string', format: 'duration' }, 'duration(60000000000)'],
  ['bytes', 'aGk=', { type: 'string', format: 'byte' }, 'b[104,105]'],
  ['an int or string, the int', 5, { 'x-kubernetes-int-or-string': true }, '5'],
  ['an int or string, the string', '5%', { 'x-kubernetes-int-or-string': true }, '"5%"'],
  ['a nullable null', null, { type: 'string', nullable: true }, 'null'],
  [
    'a null',
    null,
    { type: 'string' },
    'error: invalid data, got null for schema with nullable=false',
  ],
  ['a wrong type', 5, { type: 'string' }, 'error: invalid data, expected string, got int64'],
  [
    'a fraction for an integer',
    1.5,
    { type: 'integer' },
    'error: invalid data, expected int, got float64',
  ],
  [
    'no object',
    1,
    { type: 'object' },
    'error: invalid data, expected a map for the provided schema with type=object',
  ],
  [
    'an object: known fields, nulls left out, names escaped',
    { 'a-b': 1, unknown: 2, n: null },
    {
      type: 'object',
      properties: { 'a-b': { type: 'integer' }, n: { type: 'string', nullable: true } },
    },
    '{"a__dash__b": 1, "n": null}',
  ],
  [
    'a map',
    { 'a-b': 1 },
    { type: 'object', additionalProperties: { type: 'number' } },
    '{"a-b": 1.0}',
  ],
  ['a list', [1, 2], { type: 'array', items: { type: 'number' } }, '[1.0, 2.0]'],
];

for (const [name, data, schema, value] of values) {
  test(name, () => assert.equal(rendered(typedValue(data, schema)), value));
}

const text: Schema = { type: 'string' };
const set: Schema = { type: 'array', items: text, 'x-kubernetes-list-type': 'set' };
const map: Schema = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
  items: { type: 'object', properties: { name: text, value: { type: 'integer' } } },
};
const open: Schema = {
  type: 'object',
  properties: { a: text },
  'x-kubernetes-preserve-unknown-fields': true,
};

const comparisons: readonly (readonly [
  name: string,
  schema: Schema,
  left: Json,
  right: Json,
  same: boolean,
])[] = [
  ['lists by order', { type: 'array', items: text }, ['a', 'b'], ['b', 'a'], false],
  ['lists of the same', { type: 'array', items: text }, ['a', 'b'], ['a', 'b'], true],
  ['sets without order', set, ['a', 'b'], ['b', 'a'], true],
  ['sets of others', set, ['a', 'b'], ['b', 'c'], false],
  [
    'maps in lists by their keys',
    map,
    [{ name: 'a', value: 1 }, { name: 'b' }],
    [{ name: 'b' }, { name: 'a', value: 1 }],
    true,
  ],
  [
    'maps in lists with another value',
    map,
    [{ name: 'a', value: 1 }],
    [{ name: 'a', value: 2 }],
    false,
  ],
  ['unknown fields as data', open, { a: 'x', u: { v: [1] } }, { a: 'x', u: { v: [1] } }, true],
  ['unknown fields that differ', open, { a: 'x', u: { v: [1] } }, { a: 'x', u: { v: [2] } }, false],
];

for (const [name, schema, left, right, same] of comparisons) {
  test(`equality of ${name}`, () => {
    const [ours, theirs] = [typedValue(left, schema), typedValue(right, schema)];
    assert.ok(!(ours instanceof CelError) && !(theirs instanceof CelError));
    assert.equal(
      equal(ours, theirs, () => undefined),
      same,
    );
  });
}

test('adding to sets and maps in lists keeps their meaning', () => {
  const plus = (schema: Schema, left: Json, right: Json) => {
    const [ours, theirs] = [typedValue(left, schema), typedValue(right, schema)];
    assert.ok(
      typeof ours === 'object' && ours !== null && 'plus' in ours && ours.plus !== undefined,
    );
    assert.ok(
      typeof theirs === 'object' && theirs !== null && 'kind' in theirs && theirs.kind === 'list',
    );
    return rendered(ours.plus(theirs));
  };
  assert.equal(plus(set, ['a', 'b'], ['b', 'c']), '["a", "b", "c"]');
  assert.equal(
    plus(
      map,
      [
        { name: 'a', value: 1 },
        { name: 'b', value: 2 },
      ],
      [{ name: 'b', value: 3 }],
    ),
    '[{"name": "a", "value": 1}, {"name": "b", "value": 3}]',
  );
});

test('data is not copied: parts are made when they are asked for', () => {
  const data: Json = { a: 'x' };
  const trap = new Proxy(data, {
    get: () => assert.fail('read before it was asked for'),
  });
  const value = typedValue({ inner: trap }, { type: 'object', properties: { inner: open } });
  assert.ok(!(value instanceof CelError));
});
