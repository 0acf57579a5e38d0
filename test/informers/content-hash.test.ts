import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentHash } from './content-hash.ts';

const same = { b: [1, { d: null, c: 'x' }], a: {} };

test('the order of members does not count', () => {
  assert.equal(contentHash(same), contentHash({ a: {}, b: [1, { c: 'x', d: null }] }));
});

test('it is the SHA-256 of JSON with sorted keys and without spaces, as informer-checker makes it', () => {
  // printf '{"a":{},"b":[1]}' | sha256sum
  const want = '405ec83166f3e9c6e7149a27d398649e1faf60bca8a309943a26d2eecdf3d1c8';
  assert.equal(contentHash({ b: [1], a: {} }), want);
});

const others = [
  { name: 'another value', document: { ...same, a: { e: 1 } } },
  { name: 'a member more', document: { ...same, e: false } },
  { name: 'another order of items', document: { ...same, b: [{ c: 'x', d: null }, 1] } },
  { name: 'a number as text', document: { ...same, b: ['1', { c: 'x', d: null }] } },
];
for (const { name, document } of others) {
  test(`another hash: ${name}`, () => assert.notEqual(contentHash(document), contentHash(same)));
}
