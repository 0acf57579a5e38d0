import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@tributary/apimachinery';
import type { Revision } from '@tributary/storage';
import { RecentWrites } from './recent-writes.ts';

const revision = (number: number) => number as Revision;

function object(spec: unknown, managedFields?: object[]): KubeObject {
  const metadata = { name: 'n', ...(managedFields && { managedFields }) };
  return { apiVersion: 'g/v1', kind: 'K', metadata, spec } as KubeObject;
}

test('a recent write is found at its revision, and at no other', () => {
  const recent = new RecentWrites();
  const written = object({ a: 1 });
  recent.add('ns/a', { revision: revision(5), object: written, bytes: 10 });
  assert.equal(recent.find('ns/a', revision(5)), written);
  assert.equal(recent.find('ns/a', revision(6)), undefined);
  assert.equal(recent.find('ns/b', revision(5)), undefined);
});

test('the last write of an object replaces the one before', () => {
  const recent = new RecentWrites();
  recent.add('a', { revision: revision(1), object: object({}), bytes: 10 });
  const second = object({});
  recent.add('a', { revision: revision(2), object: second, bytes: 10 });
  assert.equal(recent.find('a', revision(1)), undefined);
  assert.equal(recent.find('a', revision(2)), second);
});

test('parts of the previous object do not hide new values', () => {
  const recent = new RecentWrites();
  const part = { b: 1 };
  recent.add('a', { revision: revision(1), object: object({ part }), bytes: 10 });
  const more = object({ part, more: undefined });
  recent.add('a', { revision: revision(2), object: more, bytes: 10 });
  assert.equal(recent.find('a', revision(2)), undefined);
});

test('the oldest recent writes are evicted beyond the bound', () => {
  const recent = new RecentWrites(30);
  for (const [index, path] of ['a', 'b', 'c', 'd'].entries()) {
    recent.add(path, { revision: revision(index), object: object({}), bytes: 10 });
  }
  const found = ['a', 'b', 'c', 'd'].map((path, index) => recent.find(path, revision(index)));
  assert.deepEqual(found.map(Boolean), [false, true, true, true]);
});

test('an object that is too large is not cached, and its predecessor neither', () => {
  const recent = new RecentWrites(30);
  recent.add('a', { revision: revision(1), object: object({}), bytes: 10 });
  recent.add('a', { revision: revision(2), object: object({}), bytes: 31 });
  assert.equal(recent.find('a', revision(1)), undefined);
  assert.equal(recent.find('a', revision(2)), undefined);
});

const specs: { name: string; spec: unknown; isCached: boolean }[] = [
  { name: 'data', spec: { a: [1, 'x', true, null, { b: {} }] }, isCached: true },
  { name: 'undefined', spec: { a: undefined }, isCached: false },
  { name: 'undefined further down', spec: { a: [{ b: undefined }] }, isCached: false },
  { name: 'a date', spec: { a: new Date(0) }, isCached: false },
  { name: 'a map', spec: { a: new Map() }, isCached: false },
  { name: 'no number', spec: { a: Number.NaN }, isCached: false },
  { name: 'negative zero', spec: { a: -0 }, isCached: false },
  { name: 'a large integer', spec: { a: 5n }, isCached: false },
];
for (const { name, spec, isCached } of specs) {
  test(`an object with ${name} is ${isCached ? '' : 'not '}cached`, () => {
    const recent = new RecentWrites();
    recent.add('a', { revision: revision(1), object: object(spec), bytes: 10 });
    assert.equal(recent.find('a', revision(1)) !== undefined, isCached);
  });
}
