/** Reads send cached bytes: they neither parse nor serialize an object again. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  PARTIAL,
  PARTIAL_LIST,
  type ReadFixture,
  readFixture,
  TABLE,
} from '../../test/representation-fixture.ts';
import type { ColumnInput } from '../definition/version.ts';

const NAMES = ['a', 'b', 'c'];

async function readEverything(fixture: ReadFixture): Promise<void> {
  for (const accept of ['application/json', TABLE, PARTIAL]) {
    for (const name of NAMES) await fixture.get(name, accept);
    await fixture.watch(NAMES.length + 1, accept, 'resourceVersion=0&allowWatchBookmarks=1');
  }
  for (const accept of ['application/json', TABLE, PARTIAL_LIST]) {
    await fixture.list(accept);
    await fixture.list(accept, 'limit=2');
    await fixture.list(accept, 'labelSelector=x%3Dy');
  }
  for (const policy of ['Object', 'None']) await fixture.list(TABLE, `includeObject=${policy}`);
}

/**
 * Counts JSON calls except those on single strings: the token of a next page contains one, and is new with each
 * revision.
 */
function countCalls(t: TestContext): () => number {
  const parse = t.mock.method(JSON, 'parse');
  const stringify = t.mock.method(JSON, 'stringify');
  return () =>
    parse.mock.calls.filter(isOurs).length +
    stringify.mock.calls.filter((call) => isOurs(call) && typeof call.arguments[0] !== 'string')
      .length;
}

/** The reporter of tests in the same process writes JSON too. */
function isOurs({ stack }: { readonly stack: Error }): boolean {
  return stack.stack?.includes('/packages/server/src/') ?? true;
}

const columns: { name: string; columns: ColumnInput[] }[] = [
  { name: 'upstream’s columns', columns: [] },
  { name: 'an author’s columns', columns: [{ name: 'Kind', cell: ({ kind }) => kind }] },
];
for (const { name, columns: given } of columns) {
  test(`the second round of all reads, with ${name}, neither parses nor serializes JSON`, async (t) => {
    await using fixture = readFixture(given);
    for (const object of NAMES) await fixture.put(object);
    const calls = countCalls(t);
    await readEverything(fixture);
    const first = calls();
    assert.ok(
      first > 0,
      'rows are made of parsed objects, so the first round must show in the count',
    );
    await readEverything(fixture);
    assert.equal(calls() - first, 0);
  });
}
