/** A table and its lists are sound by themselves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allSteps } from './row.ts';
import { namespaceOf } from './run-row.ts';
import { rowsOf, type Suite } from './suite.ts';

export function repeated(values: readonly string[]): string[] {
  const seen = new Set<string>();
  return values.filter((value) => seen.size === seen.add(value).size);
}

/** Registers the tests. */
export function tableSuite(suite: Suite, { rowsMin }: { rowsMin: number }): void {
  const rows = rowsOf(suite);
  const names = rows.map(({ name }) => name);
  const { differences, todoRows, todoPaths } = suite.lists;

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
    assert.deepEqual(repeated(suite.groups.map(({ name }) => name)), []);
  });

  test('steps have names of their own within their row', () => {
    for (const row of rows) {
      assert.deepEqual(repeated(allSteps(row.steps).map(({ name }) => name)), [], row.name);
    }
  });

  test(`at least ${rowsMin} rows`, () => assert.ok(rows.length >= rowsMin));

  test('rows are about kinds that the suite names, and every such kind has rows', () => {
    const about = rows.flatMap(({ covers }) => ('kind' in covers ? [covers.kind] : []));
    assert.deepEqual([...new Set(about)].sort(), Object.keys(suite.kinds).sort());
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
}
