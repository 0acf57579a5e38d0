import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differences as ofCore } from '../core/differences.ts';
import { DIFFERENCES_MAX, differences as ofWardle } from '../differential/differences.ts';
import { tableSuite } from '../differential/table-suite.ts';
import { replaySuite, spreadOver, strayResponses } from '../golden/replay.ts';
import { readGolden, recordedResponses } from '../golden/store.ts';
import { differences } from './differences.ts';
import { startOurAggregator } from './ours.ts';
import { rows } from './rows/index.ts';
import { aggregatorSuite } from './suite.ts';

tableSuite(aggregatorSuite, { rowsMin: 100 });

test(`at most ${DIFFERENCES_MAX} deliberate differences of all suites`, () => {
  const ids = new Set([...ofWardle, ...ofCore, ...differences].map(({ id }) => id));
  assert.ok(ids.size <= DIFFERENCES_MAX);
});

test('the aggregator answers like kube-apiserver did', async (t) => {
  await replaySuite(t, aggregatorSuite, spreadOver(1, aggregatorSuite, startOurAggregator));
});

test('every row is recorded as it is', async () => {
  const golden = await readGolden(aggregatorSuite.responsesDir);
  for (const row of rows) assert.ok(recordedResponses(golden, row).length > 0, row.name);
});

test('golden answers belong to a row', async () => {
  const stray = await strayResponses(aggregatorSuite);
  assert.deepEqual(stray, [], 'recorded but no longer in the table; run: npm run golden:record');
});
