import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedType, validationFacts } from '../../test/apply-facts.ts';
import { schemaType } from './schema-type.ts';
import { deduced } from './type.ts';
import { TypedError } from './typed-error.ts';
import { OWNED_VALUES_MAX, requireTyped } from './validate.ts';

for (const { name, schema, value, allowDuplicates = false, error } of validationFacts) {
  test(`validation of ${schema}: ${name}`, () => {
    assert.equal(problemOf(value, schema, allowDuplicates), error);
  });
}

function problemOf(value: unknown, schema: string, allowDuplicates: boolean): string | null {
  try {
    requireTyped(value, namedType(schema), { allowDuplicates });
    return null;
  } catch (error) {
    assert.ok(error instanceof TypedError, String(error));
    return error.message;
  }
}

test('the number of reported errors is limited', () => {
  const type = schemaType({ type: 'array', items: { type: 'string' } });
  const broken = Array.from({ length: 10_000 }, () => 5);
  assert.throws(
    () => requireTyped(broken, type, { allowDuplicates: false }),
    (error) => {
      assert.ok(error instanceof TypedError);
      return error.problems.length === 100;
    },
  );
});

test('a long value in a message is truncated', () => {
  const type = schemaType({ type: 'object', properties: { a: { type: 'boolean' } } });
  const value = { a: 'x'.repeat(100_000) };
  assert.throws(
    () => requireTyped(value, type, { allowDuplicates: false }),
    (error) => {
      return (error as Error).message.length < 11_000;
    },
  );
});

test('a value without a schema is valid', () => {
  const anything = { a: [{ b: null }, [1]], c: { d: { e: true } } };
  requireTyped(anything, deduced, { allowDuplicates: false });
});

test('only parts that differ from the valid value are validated', () => {
  const type = namedType('struct');
  const [good, bad] = [{ x: 'text' }, { x: 1 }];
  const check = (value: unknown, valid: unknown) =>
    requireTyped(value, type, { allowDuplicates: true, valid });
  check({ inner: good }, { inner: good });
  check({ inner: bad }, { inner: bad });
  assert.throws(() => check({ inner: { x: 2 } }, { inner: bad }));
  assert.throws(() => check({ inner: bad }, { inner: good }));
  assert.throws(() => check({ inner: bad }, undefined));
});

const strings = { type: 'string' } as const;
const owned = {
  set: { type: 'array', items: strings, 'x-kubernetes-list-type': 'set' },
  map: { type: 'object', additionalProperties: strings },
  byName: {
    type: 'array',
    items: { type: 'object', properties: { name: strings } },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
  },
  list: { type: 'array', items: { type: 'object', additionalProperties: strings } },
  atomic: { type: 'object', additionalProperties: strings, 'x-kubernetes-map-type': 'atomic' },
} as const;
const ownedType = schemaType({ type: 'object', properties: owned });
const names = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`);
const mapOf = (count: number) => Object.fromEntries(names(count).map((name) => [name, '']));
const MAX = OWNED_VALUES_MAX;

const bounds: readonly { name: string; value: object; isRefused: boolean }[] = [
  { name: 'a set at the limit', value: { set: names(MAX) }, isRefused: false },
  { name: 'a set beyond the limit', value: { set: names(MAX + 1) }, isRefused: true },
  { name: 'a map beyond the limit', value: { map: mapOf(MAX + 1) }, isRefused: true },
  {
    name: 'a keyed list beyond the limit',
    value: { byName: names(MAX + 1).map((name) => ({ name })) },
    isRefused: true,
  },
  {
    name: 'a set and a map together beyond the limit',
    value: { set: names(MAX / 2), map: mapOf(MAX / 2), byName: [{ name: 'a' }] },
    isRefused: true,
  },
  {
    name: 'an atomic list beyond the limit',
    value: { list: [mapOf(MAX), mapOf(MAX)], atomic: mapOf(2 * MAX), set: names(MAX) },
    isRefused: false,
  },
];
for (const { name, value, isRefused } of bounds) {
  test(`${name} ${isRefused ? 'is rejected' : 'is accepted'} in a request`, () => {
    const check = (options: { readonly fromClient?: boolean; readonly valid?: unknown }) =>
      requireTyped(value, ownedType, { allowDuplicates: true, ...options });
    check({});
    check({ fromClient: true, valid: value });
    if (isRefused) assert.throws(() => check({ fromClient: true }), { code: 413 });
    else check({ fromClient: true });
  });
}
