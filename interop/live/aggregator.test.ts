/** The real aggregator against what it said when it was recorded; and the real sample behind ours. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireProgram } from '../../test/harness/index.ts';
import { differences, ofTheSample } from '../aggregator/differences.ts';
import { startOurAggregator } from '../aggregator/ours.ts';
import { startAggregatorReference } from '../aggregator/reference.ts';
import { rows } from '../aggregator/rows/index.ts';
import { aggregatorSuite } from '../aggregator/suite.ts';
import { compareAnswers, formatDifferences } from '../differential/compare.ts';
import { answersTo } from '../differential/run-row.ts';
import { replaySuite, spreadOver } from '../golden/replay.ts';
import { readGolden, recordedAnswers } from '../golden/store.ts';
import { startSampleBehind } from '../stack.ts';

test('kube-apiserver with the sample behind it answers as it did', async (t) => {
  if ((await requireProgram(t, 'go')) === undefined) return;
  const { answersDir, sharedRevisions } = aggregatorSuite;
  const golden = await readGolden(answersDir);
  const original = await startAggregatorReference(t);
  for (const row of rows) {
    await t.test(row.name, async () => {
      const reference = await answersTo(row, original, { runId: 'live', sharedRevisions });
      const drift = compareAnswers({ ours: recordedAnswers(golden, row), reference });
      assert.deepEqual(drift, [], formatDifferences(drift));
    });
  }
});

test('the Go sample-apiserver behind our aggregator is what it is behind the original', async (t) => {
  if ((await requireProgram(t, 'go')) === undefined) return;
  const ours = await startOurAggregator(t, startSampleBehind);
  const ofTheAggregator = differences.filter(({ id }) => !ofTheSample.includes(id));
  const lists = { ...aggregatorSuite.lists, differences: ofTheAggregator };
  const suite = { ...aggregatorSuite, lists };
  await replaySuite(
    t,
    suite,
    spreadOver(1, suite, async () => ours),
  );
});
