import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOurs } from '../differential/ours.ts';
import { wardleSuite } from '../differential/suite.ts';
import { replaySuite, strayAnswers } from './replay.ts';

test('wardle answers like the Go sample-apiserver did', async (t) => {
  await replaySuite(t, wardleSuite, await startOurs(t));
});

test('golden answers belong to a row', async () => {
  const stray = await strayAnswers(wardleSuite);
  assert.deepEqual(stray, [], 'recorded but no longer in the table; run: npm run golden:record');
});
