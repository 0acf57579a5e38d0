import assert from 'node:assert/strict';
import test from 'node:test';
import { differencesOf, formatDifferences } from './compare.ts';
import type { Line } from './run.ts';

const lines: readonly Line[] = [
  { step: 'configmaps: create a', code: 201, seen: { data: { key: 'first' } } },
  { step: 'configmaps: create again', code: 409, reason: 'AlreadyExists' },
  { step: 'configmaps: list', code: 200, seen: { names: ['a', 'b'] } },
];

test('what is the same has no differences', () => {
  assert.deepEqual(differencesOf(lines, structuredClone(lines)), []);
});

const cases: readonly { name: string; ours: readonly Line[]; want: readonly string[] }[] = [
  {
    name: 'another code',
    ours: lines.with(1, { step: 'configmaps: create again', code: 422, reason: 'AlreadyExists' }),
    want: ['configmaps: create again'],
  },
  {
    name: 'another field',
    ours: lines.with(0, { step: 'configmaps: create a', code: 201, seen: { data: { key: '1' } } }),
    want: ['configmaps: create a'],
  },
  {
    name: 'another order',
    ours: lines.with(2, { step: 'configmaps: list', code: 200, seen: { names: ['b', 'a'] } }),
    want: ['configmaps: list'],
  },
  { name: 'a step is missing', ours: lines.slice(0, 2), want: ['configmaps: list'] },
  { name: 'nothing was done', ours: [], want: lines.map(({ step }) => step) },
  {
    name: 'one step more',
    ours: [...lines, { step: 'configmaps: watch', code: 200 }],
    want: ['configmaps: watch'],
  },
];
for (const { name, ours, want } of cases) {
  test(`${name} is a difference`, () => {
    const found = differencesOf(lines, ours);
    assert.deepEqual(
      found.map(({ step }) => step),
      want,
    );
    for (const step of want) assert.ok(formatDifferences(found).includes(step));
  });
}
