import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuMs as cpuMsOf } from '../../../../test/harness/own-time.ts';
import { applyJsonPatch, JsonPatchError } from './json-patch.ts';

const cases: { name: string; document: unknown; patch: unknown[]; want: unknown }[] = [
  {
    name: 'add a field',
    document: {},
    patch: [{ op: 'add', path: '/a', value: 1 }],
    want: { a: 1 },
  },
  {
    name: 'add into an array',
    document: { a: [1, 3] },
    patch: [{ op: 'add', path: '/a/1', value: 2 }],
    want: { a: [1, 2, 3] },
  },
  {
    name: 'append',
    document: { a: [1] },
    patch: [{ op: 'add', path: '/a/-', value: 2 }],
    want: { a: [1, 2] },
  },
  {
    name: 'add from the end',
    document: { a: [1, 2] },
    patch: [{ op: 'add', path: '/a/-1', value: 3 }],
    want: { a: [1, 2, 3] },
  },
  {
    name: 'remove from the end',
    document: { a: [1, 2] },
    patch: [{ op: 'remove', path: '/a/-1' }],
    want: { a: [1] },
  },
  {
    name: 'replace a missing field',
    document: {},
    patch: [{ op: 'replace', path: '/a', value: 1 }],
    want: { a: 1 },
  },
  {
    name: 'replace everything',
    document: { a: 1 },
    patch: [{ op: 'replace', path: '', value: { b: 2 } }],
    want: { b: 2 },
  },
  {
    name: 'test a missing field against null',
    document: {},
    patch: [{ op: 'test', path: '/a', value: null }],
    want: {},
  },
  {
    name: 'move',
    document: { a: { b: 1 }, c: {} },
    patch: [{ op: 'move', from: '/a/b', path: '/c/d' }],
    want: { a: {}, c: { d: 1 } },
  },
  {
    name: 'copy is a copy',
    document: { a: [1] },
    patch: [
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'add', path: '/b/-', value: 2 },
    ],
    want: { a: [1], b: [1, 2] },
  },
  {
    name: 'escaped names',
    document: { 'a/b': { '~': 1 } },
    patch: [{ op: 'replace', path: '/a~1b/~0', value: 2 }],
    want: { 'a/b': { '~': 2 } },
  },
  {
    name: 'large numbers',
    document: { n: 9007199254740993n },
    patch: [{ op: 'test', path: '/n', value: 9007199254740993n }],
    want: { n: 9007199254740993n },
  },
];

for (const { name, document, patch, want } of cases) {
  test(name, () => {
    const before = structuredClone(document);
    assert.deepEqual(applyJsonPatch(document, patch), want);
    assert.deepEqual(document, before, 'the document stays as it was');
  });
}

const refused: { name: string; document: unknown; patch: unknown[] }[] = [
  { name: 'a missing field to remove', document: {}, patch: [{ op: 'remove', path: '/a' }] },
  { name: 'a path through nothing', document: {}, patch: [{ op: 'add', path: '/a/b', value: 1 }] },
  { name: 'beyond the end', document: { a: [] }, patch: [{ op: 'add', path: '/a/1', value: 1 }] },
  { name: 'no index', document: { a: [1] }, patch: [{ op: 'replace', path: '/a/x', value: 1 }] },
  { name: 'a failing test', document: { a: 1 }, patch: [{ op: 'test', path: '/a', value: 2 }] },
  { name: 'an unknown operation', document: {}, patch: [{ op: 'twist', path: '/a' }] },
  { name: 'no path', document: {}, patch: [{ op: 'add', value: 1 }] },
  { name: 'no value', document: {}, patch: [{ op: 'add', path: '/a' }] },
  { name: 'no operation', document: {}, patch: [1] },
  { name: 'removing everything', document: {}, patch: [{ op: 'remove', path: '' }] },
  { name: 'a move from nowhere', document: {}, patch: [{ op: 'move', from: '/a', path: '/b' }] },
  {
    name: 'copies that grow exponentially',
    document: { a: 'x'.repeat(1024 * 1024) },
    patch: Array.from({ length: 4 }, (_, at) => ({ op: 'copy', from: '/a', path: `/b${at}` })),
  },
  {
    name: 'copies of very many small values',
    document: { a: Array.from({ length: 30_000 }, () => 0) },
    patch: Array.from({ length: 2 }, (_, at) => ({ op: 'copy', from: '/a', path: `/b${at}` })),
  },
];

for (const { name, document, patch } of refused) {
  test(`rejects ${name}`, () => {
    assert.throws(() => applyJsonPatch(document, patch), JsonPatchError);
  });
}

test('10,000 insertions into a long array are rejected soon', () => {
  const document = { a: Array.from({ length: 500_000 }, (_, at) => at) };
  const patch = Array.from({ length: 10_000 }, () => ({ op: 'add', path: '/a/0', value: 0 }));
  const cpuMs = cpuMsOf(() => assert.throws(() => applyJsonPatch(document, patch), JsonPatchError));
  assert.ok(cpuMs < 2000, `${cpuMs} ms`);
});

test('__proto__ is data', () => {
  const patch = [{ op: 'add', path: '/__proto__', value: { polluted: true } }];
  const patched = applyJsonPatch({}, patch) as object;
  assert.deepEqual(Object.keys(patched), ['__proto__']);
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
});
