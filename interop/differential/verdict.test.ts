import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from './json.ts';
import type { StepResult } from './step-result.ts';
import { compareRow, countOutcomes, describeCounts, type Lists, staleEntries } from './verdict.ts';

const none: Lists = { differences: [], todoRows: [], todoPaths: [] };
const responses = (body: Json): StepResult[] => [{ step: 's', body }];
const same = { ours: responses({ a: 1 }), reference: responses({ a: 1 }) };
const other = { ours: responses({ a: 2 }), reference: responses({ a: 1 }) };
const todo: Lists = { ...none, todoRows: [{ issue: 4, why: '', rows: ['row'] }] };
const deliberate: Lists = {
  ...none,
  differences: [{ id: 'two', rows: ['row'], path: /^body\.a$/, benefit: 'more' }],
};
const path: Lists = { ...none, todoPaths: [{ id: 'a', issue: 5, why: '', path: /^body\.a$/ }] };

const cases = [
  { name: 'equal', sides: same, lists: none, outcome: 'green' },
  { name: 'different', sides: other, lists: none, outcome: 'failed' },
  { name: 'different and on the to-do list', sides: other, lists: todo, outcome: 'todo' },
  { name: 'equal and still on the to-do list', sides: same, lists: todo, outcome: 'failed' },
  { name: 'different on purpose', sides: other, lists: deliberate, outcome: 'green' },
  { name: 'different where a to-do says so', sides: other, lists: path, outcome: 'green' },
];
for (const { name, sides, lists, outcome } of cases) {
  test(name, () => assert.equal(compareRow('row', sides, lists).outcome, outcome));
}

test('a row that is green says to remove it from the to-do list', () => {
  assert.match(compareRow('row', same, todo).message, /remove it from the to-do list/);
});

test('a deliberate difference holds for its rows and paths only', () => {
  assert.equal(compareRow('another', other, deliberate).outcome, 'failed');
  const elsewhere = { ours: responses({ b: 2 }), reference: responses({ b: 1 }) };
  assert.equal(compareRow('row', elsewhere, deliberate).outcome, 'failed');
});

test('a deliberate difference can say which values it means', () => {
  const narrow: Lists = {
    ...none,
    differences: [
      { id: 'three', rows: /row/, path: /a/, benefit: '', accepts: ({ ours }) => ours === 3 },
    ],
  };
  assert.equal(compareRow('row', other, narrow).outcome, 'failed');
  assert.equal(compareRow('row', { ...other, ours: responses({ a: 3 }) }, narrow).outcome, 'green');
});

test('entries that match nothing are stale', () => {
  const green = compareRow('row', same, none);
  assert.deepEqual(staleEntries([green], { ...deliberate, todoPaths: path.todoPaths }), [
    'deliberate difference "two" matches nothing: remove it',
    'to-do "a" matches nothing: remove it',
  ]);
  assert.deepEqual(staleEntries([compareRow('row', other, deliberate)], deliberate), []);
  assert.deepEqual(staleEntries([], todo), ['to-do row "row" does not exist: remove it']);
});

test('counts', () => {
  const verdicts = [
    compareRow('row', same, none),
    compareRow('row', other, todo),
    compareRow('x', other, none),
  ];
  assert.equal(
    describeCounts(countOutcomes(verdicts)),
    '3 rows: 1 green, 1 on the to-do list, 1 failed',
  );
});
