import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skipOrFail } from '../../test/harness/prerequisites.ts';
import type { RowGroup } from '../differential/row.ts';
import { replaySuite, strayResponses } from '../golden/replay.ts';
import { readGolden, recordedResponses } from '../golden/store.ts';
import { startOurCore, whyNotOurs } from './ours.ts';
import { rows } from './rows/index.ts';
import { coreSuite } from './suite.ts';

/** A server each, because every kind that custom resources define makes the documents of all others longer. */
const ACROSS_KINDS = new Set([
  'discovery',
  'openapi-documents',
  'tables',
  'watch-streams',
  'finalizers',
  'updates-of-gone',
  'apply-kinds',
  'kinds-effects',
]);

function partOf({ name }: RowGroup): string {
  if (name.startsWith('custom')) return 'custom resources';
  if (ACROSS_KINDS.has(name)) return 'across kinds';
  return /^(?:stored|validating|mutating)/.test(name) ? 'stored kinds' : 'kinds';
}

test('the control plane answers like kube-apiserver did', { concurrency: 4 }, async (t) => {
  const why = await whyNotOurs();
  if (why !== undefined) return skipOrFail(t, why);
  const parts = Map.groupBy(coreSuite.groups, partOf);
  await replaySuite(
    t,
    coreSuite,
    [...parts].map(([name, groups]) => ({ name, groups, start: startOurCore })),
  );
});

test('every row is recorded as it is', async () => {
  const golden = await readGolden(coreSuite.responsesDir);
  for (const row of rows) assert.ok(recordedResponses(golden, row).length > 0, row.name);
});

test('golden answers belong to a row', async () => {
  const stray = await strayResponses(coreSuite);
  assert.deepEqual(stray, [], 'recorded but no longer in the table; run: npm run golden:record');
});
