import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergePatch } from './merge-patch.ts';

/** The examples of RFC 7386, appendix A, and further ones. */
const cases: { target: unknown; patch: unknown; want: unknown }[] = [
  { target: { a: 'b' }, patch: { a: 'c' }, want: { a: 'c' } },
  { target: { a: 'b' }, patch: { b: 'c' }, want: { a: 'b', b: 'c' } },
  { target: { a: 'b' }, patch: { a: null }, want: {} },
  { target: { a: 'b', b: 'c' }, patch: { a: null }, want: { b: 'c' } },
  { target: { a: ['b'] }, patch: { a: 'c' }, want: { a: 'c' } },
  { target: { a: 'c' }, patch: { a: ['b'] }, want: { a: ['b'] } },
  { target: { a: { b: 'c' } }, patch: { a: { b: 'd', c: null } }, want: { a: { b: 'd' } } },
  { target: { a: [{ b: 'c' }] }, patch: { a: [1] }, want: { a: [1] } },
  { target: ['a', 'b'], patch: ['c', 'd'], want: ['c', 'd'] },
  { target: { a: 'b' }, patch: ['c'], want: ['c'] },
  { target: { a: 'foo' }, patch: null, want: null },
  { target: { a: 'foo' }, patch: 'bar', want: 'bar' },
  { target: { e: null }, patch: { a: 1 }, want: { e: null, a: 1 } },
  { target: [1, 2], patch: { a: 'b', c: null }, want: { a: 'b' } },
  { target: {}, patch: { a: { bb: { ccc: null } } }, want: { a: { bb: {} } } },
  { target: { n: 9007199254740993n }, patch: { a: 1 }, want: { n: 9007199254740993n, a: 1 } },
];

for (const { target, patch, want } of cases) {
  const show = (value: unknown) =>
    JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${one}n` : one));
  test(`${show(target)} with ${show(patch)}`, () => {
    const before = structuredClone(target);
    assert.deepEqual(mergePatch(target, patch), want);
    assert.deepEqual(target, before, 'the target stays as it was');
  });
}

test('__proto__ is data', () => {
  const merged = mergePatch({}, JSON.parse('{"__proto__":{"polluted":true}}'));
  assert.deepEqual(Object.keys(merged as object), ['__proto__']);
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
});
