import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseJson } from '../json/parse-json.ts';
import { stringifyJson } from '../json/stringify-json.ts';
import { shareParts } from './share-parts.ts';

const copy = (value: unknown) => parseJson(Buffer.from(stringifyJson(value)));

test('an equal value is replaced by the other', () => {
  const other = { a: [1, { b: 'x' }], c: null };
  assert.equal(shareParts(copy(other), other), other);
});

const other = {
  labels: { app: 'a' },
  list: [{ name: 'x', env: { one: 1 } }, { name: 'y' }],
  last: { z: 1 },
};
const changes: { name: string; value: object; shared: (value: never) => [unknown, unknown][] }[] = [
  {
    name: 'a field changed',
    value: { ...other, last: { z: 2 } },
    shared: ({ labels, list }) => [
      [labels, other.labels],
      [list, other.list],
    ],
  },
  {
    name: 'a field is new, before the others',
    value: { new: true, ...other },
    shared: ({ labels, last }) => [
      [labels, other.labels],
      [last, other.last],
    ],
  },
  {
    name: 'a field is removed',
    value: { labels: other.labels, list: other.list },
    shared: ({ labels, list }) => [
      [labels, other.labels],
      [list, other.list],
    ],
  },
  {
    name: 'fields are in another order',
    value: { last: other.last, list: other.list, labels: other.labels },
    shared: ({ labels, last }) => [
      [labels, other.labels],
      [last, other.last],
    ],
  },
  {
    name: 'an item changed',
    value: { ...other, list: [{ name: 'x', env: { one: 1 } }, { name: 'q' }] },
    shared: ({ list }) => [[(list as unknown[])[0], other.list[0]]],
  },
  {
    name: 'an item is new',
    value: { ...other, list: [...other.list, { name: 'z' }] },
    shared: ({ list }) => [
      [(list as unknown[])[0], other.list[0]],
      [(list as unknown[])[1], other.list[1]],
    ],
  },
  {
    name: 'a field of an item changed',
    value: { ...other, list: [{ name: 'w', env: { one: 1 } }, { name: 'y' }] },
    shared: ({ list }) => [[(list as { env: unknown }[])[0]?.env, other.list[0]?.env]],
  },
];
for (const { name, value, shared } of changes) {
  test(`${name}: equal parts are those of the other`, () => {
    const mine = copy(value);
    const result = shareParts(mine, other);
    assert.equal(stringifyJson(result), stringifyJson(value));
    assert.notEqual(result, other);
    for (const [part, want] of shared(result as never)) assert.equal(part, want);
  });
}

test('the order of fields and the type of numbers are preserved', () => {
  assert.equal(stringifyJson(shareParts({ b: 1, a: 2 }, { a: 2, b: 1 })), '{"b":1,"a":2}');
  assert.equal(shareParts({ a: 1n }, { a: 1 }).a, 1n);
});

test('__proto__ is data', () => {
  const value = parseJson(Buffer.from('{"x":2,"__proto__":{"a":{"b":1}}}'));
  const before = parseJson(Buffer.from('{"x":1,"__proto__":{"a":{"b":1}}}'));
  const result = shareParts(value, before);
  assert.equal(stringifyJson(result), '{"x":2,"__proto__":{"a":{"b":1}}}');
  assert.equal(stringifyJson(shareParts({ x: 1 }, before)), '{"x":1}');
});

test('sharing changes neither the JSON of the value nor its arguments', () => {
  const values = fc.jsonValue({ maxDepth: 4 });
  fc.assert(
    fc.property(values, values, fc.boolean(), (value, unrelated, isNested) => {
      const before = isNested ? { value: copy(value), unrelated } : unrelated;
      const mine = isNested ? { value, unrelated: [unrelated] } : value;
      const texts = [stringifyJson(mine), stringifyJson(before)];
      assert.equal(stringifyJson(shareParts(mine, before)), texts[0]);
      assert.deepEqual([stringifyJson(mine), stringifyJson(before)], texts);
    }),
  );
});
