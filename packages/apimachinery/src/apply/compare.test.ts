import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { namedType, pairFacts } from '../../test/apply-facts.ts';
import { compareTyped, equalValues } from './compare.ts';
import { encodeFieldsV1 } from './fields-v1.ts';
import { deduced } from './type.ts';

for (const { name, schema, before, after, removed, modified, added } of pairFacts) {
  test(`comparison of ${schema}: ${name}`, () => {
    const comparison = compareTyped(before, after, namedType(schema));
    assert.deepEqual(
      {
        removed: encodeFieldsV1(comparison.removed),
        modified: encodeFieldsV1(comparison.modified),
        added: encodeFieldsV1(comparison.added),
      },
      { removed, modified, added },
    );
  });
}

const equalCases: { name: string; a: unknown; b: unknown; want: boolean }[] = [
  { name: 'the order of fields is ignored', a: { a: 1, b: 2 }, b: { b: 2, a: 1 }, want: true },
  { name: 'the order of items is significant', a: [1, 2], b: [2, 1], want: false },
  { name: 'an integer in either form', a: { a: [5n] }, b: { a: [5] }, want: true },
  { name: 'null is not absent', a: { a: null }, b: {}, want: false },
  { name: 'null is not a map', a: null, b: {}, want: false },
  { name: 'a list is not a map', a: [], b: {}, want: false },
  { name: 'a string is not a number', a: '5', b: 5, want: false },
  {
    name: 'inherited members are ignored',
    a: JSON.parse('{"toString":1}'),
    b: { x: 1 },
    want: false,
  },
];
for (const { name, a, b, want } of equalCases) {
  test(`equal values: ${name}`, () => assert.equal(equalValues(a, b), want));
}

test('a value has no differences from itself', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const { removed, modified, added } = compareTyped(value, structuredClone(value), deduced);
      assert.ok(removed.isEmpty && modified.isEmpty && added.isEmpty);
    }),
  );
});

test('fields added in one direction are removed in the other', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.dictionary(fc.string(), fc.jsonValue()),
      (a, b) => {
        const [there, back] = [compareTyped(a, b, deduced), compareTyped(b, a, deduced)];
        assert.deepEqual(encodeFieldsV1(there.modified), encodeFieldsV1(back.modified));
      },
    ),
  );
});
