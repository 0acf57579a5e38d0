import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineDiff } from './line-diff.ts';

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`);

const cases = [
  { name: 'nothing', before: ['a'], after: ['a'], wanted: [] },
  {
    name: 'one line among many',
    before: numbers(1, 9),
    after: [...numbers(1, 4), 'other', ...numbers(6, 9)],
    wanted: [
      '@@ -2,7 +2,7 @@',
      ...numbers(2, 4).map((line) => ` ${line}`),
      '-line 5',
      '+other',
      ...numbers(6, 8).map((line) => ` ${line}`),
    ],
  },
  {
    name: 'lines at the end',
    before: ['a'],
    after: ['a', 'b'],
    wanted: ['@@ -1 +1,2 @@', ' a', '+b'],
  },
  { name: 'everything', before: ['a'], after: ['b'], wanted: ['@@ -1 +1 @@', '-a', '+b'] },
  {
    name: 'two places far from each other',
    before: numbers(1, 20),
    after: ['x', ...numbers(2, 19), 'y'],
    wanted: [
      '@@ -1,4 +1,4 @@',
      '-line 1',
      '+x',
      ...numbers(2, 4).map((line) => ` ${line}`),
      '@@ -17,4 +17,4 @@',
      ...numbers(17, 19).map((line) => ` ${line}`),
      '-line 20',
      '+y',
    ],
  },
  {
    name: 'the longest block wins, not the first',
    before: ['a', 'b'],
    after: ['a', 'c', 'a', 'b'],
    wanted: ['@@ -1,2 +1,4 @@', '+a', '+c', ' a', ' b'],
  },
];
for (const { name, before, after, wanted } of cases) {
  test(`a difference of ${name}`, () => {
    const text = wanted.map((line) => `${line}\n`).join('');
    assert.equal(lineDiff(before.join('\n'), after.join('\n')), text);
  });
}

test('texts that would take long to compare have no diff', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => `line ${index % 700}`);
  assert.equal(lineDiff(many.join('\n'), many.toReversed().join('\n')), '');
});
