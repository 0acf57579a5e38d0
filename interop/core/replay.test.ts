import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skipOrFail } from '../../test/harness/prerequisites.ts';
import { replaySuite, strayAnswers } from '../golden/replay.ts';
import { readGolden, recordedAnswers } from '../golden/store.ts';
import { startOurCore, whyNotOurs } from './ours.ts';
import { rows } from './rows/index.ts';
import { coreSuite } from './suite.ts';

test('the control plane answers like kube-apiserver did', async (t) => {
  const why = await whyNotOurs();
  if (why !== undefined) return skipOrFail(t, why);
  await replaySuite(t, coreSuite, await startOurCore(t));
});

test('every row is recorded as it is', async () => {
  const golden = await readGolden(coreSuite.answersDir);
  for (const row of rows) assert.ok(recordedAnswers(golden, row).length > 0, row.name);
});

test('golden answers belong to a row', async () => {
  const stray = await strayAnswers(coreSuite);
  assert.deepEqual(stray, [], 'recorded but no longer in the table; run: npm run golden:record');
});
