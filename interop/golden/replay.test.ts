import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOurs } from '../differential/ours.ts';
import { wardleSuite } from '../differential/suite.ts';
import { replaySuite, spreadOver, strayResponses } from './replay.ts';

test('wardle answers like the Go sample-apiserver did', { concurrency: 3 }, async (t) => {
  await replaySuite(t, wardleSuite, spreadOver(3, wardleSuite, startOurs));
});

test('golden answers belong to a row', async () => {
  const stray = await strayResponses(wardleSuite);
  assert.deepEqual(stray, [], 'recorded but no longer in the table; run: npm run golden:record');
});
