import assert from 'node:assert/strict';
import test from 'node:test';
import type { Json } from '../differential/json.ts';
import { describeChanges, groupChanges } from './change-table.ts';
import type { GoldenFile } from './store.ts';

function recording(
  version: string,
  rows: Record<string, { digest: string; body: Json }>,
): GoldenFile {
  return {
    program: 'kube-apiserver',
    version,
    rows: Object.fromEntries(
      Object.entries(rows).map(([name, { digest, body }]) => [
        name,
        {
          digest,
          responses: [{ step: 'get', body }] as unknown as GoldenFile['rows'][string]['responses'],
        },
      ]),
    ),
  };
}

const before = recording('v1.1.0', {
  a: { digest: '1', body: { message: 'old' } },
  b: { digest: '1', body: { message: 'old' } },
  same: { digest: '1', body: { message: 'kept' } },
  edited: { digest: '1', body: { message: 'old' } },
});
const after = recording('v1.2.0', {
  a: { digest: '1', body: { message: 'new|text' } },
  b: { digest: '1', body: { message: 'new|text' } },
  same: { digest: '1', body: { message: 'kept' } },
  edited: { digest: '2', body: { message: 'another script' } },
  added: { digest: '1', body: {} },
});

test('a changed value is listed with its rows; edited and added rows are not', () => {
  const changes = describeChanges(before, after);
  assert.deepEqual(
    changes.map(({ row, path }) => [row, path]),
    [
      ['a', 'body.message'],
      ['b', 'body.message'],
    ],
  );
});

test('the same change in several rows is one line of the table', () => {
  const table = groupChanges(describeChanges(before, after));
  assert.match(table, /^2 rows changed\./);
  assert.ok(table.includes('| a; b | body.message | "old" | "new\\|text" |'));
});
