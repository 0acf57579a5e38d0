/** The table and the lists themselves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DIFFERENCES_MAX, differences } from './differences.ts';
import { allSteps } from './row.ts';
import { groups, rows } from './rows/index.ts';
import { namespaceOf } from './run-row.ts';
import { todoPaths, todoRows } from './todo.ts';

const names = rows.map(({ name }) => name);

function repeated(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}

test('rows have names of their own', () => assert.deepEqual(repeated(names), []));

test('rows have namespaces of their own that fit a label', () => {
  const namespaces = rows.map((row) => namespaceOf(row, 'a-run-id'));
  assert.deepEqual(repeated(namespaces), []);
  // Some rows make names from it.
  assert.deepEqual(
    namespaces.filter((namespace) => !/^[a-z][a-z0-9-]{0,54}[a-z0-9]$/.test(namespace)),
    [],
  );
});

test('groups have names of their own', () => {
  assert.deepEqual(repeated(groups.map(({ name }) => name)), []);
});

test('steps have names of their own within their row', () => {
  for (const row of rows) {
    assert.deepEqual(repeated(allSteps(row.steps).map(({ name }) => name)), [], row.name);
  }
});

test('at least 90 rows', () => assert.ok(rows.length >= 90));

test(`at most ${DIFFERENCES_MAX} deliberate differences, each with its benefit`, () => {
  assert.ok(differences.length <= DIFFERENCES_MAX);
  assert.deepEqual(repeated(differences.map(({ id }) => id)), []);
  for (const { id, benefit } of differences) assert.ok(benefit.length > 20, id);
});

test('to-dos name rows that exist, once, and an issue', () => {
  const listed = todoRows.flatMap((entry) => entry.rows);
  assert.deepEqual(repeated(listed), []);
  assert.deepEqual(
    listed.filter((name) => !names.includes(name)),
    [],
  );
  for (const { issue, why } of [...todoRows, ...todoPaths]) {
    assert.ok(Number.isInteger(issue) && issue > 0, why);
  }
});

test('deliberate differences name rows that exist', () => {
  const listed = differences.flatMap((entry) => (entry.rows instanceof RegExp ? [] : entry.rows));
  assert.deepEqual(
    listed.filter((name) => !names.includes(name)),
    [],
  );
});
