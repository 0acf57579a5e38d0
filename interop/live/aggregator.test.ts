/** The real aggregator against what it said when it was recorded; and the real sample behind ours. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireProgram } from '../../test/harness/index.ts';
import { differences, ofTheSample } from '../aggregator/differences.ts';
import { startOurAggregator } from '../aggregator/ours.ts';
import { startAggregatorReference } from '../aggregator/reference.ts';
import { rows } from '../aggregator/rows/index.ts';
import { aggregatorSuite } from '../aggregator/suite.ts';
import { compareResults, formatDifferences } from '../differential/compare.ts';
import type { Row } from '../differential/row.ts';
import { resultsOf } from '../differential/run-row.ts';
import type { StepResult } from '../differential/step-result.ts';
import type { Target } from '../differential/target.ts';
import { replaySuite, spreadOver } from '../golden/replay.ts';
import { readGolden, recordedResponses } from '../golden/store.ts';
import { startSampleBehind } from '../stack.ts';

test('kube-apiserver with the sample behind it answers as it did', async (t) => {
  if ((await requireProgram(t, 'go')) === undefined) return;
  const { responsesDir, sharedRevisions } = aggregatorSuite;
  const golden = await readGolden(responsesDir);
  const original = await startAggregatorReference(t);
  for (const row of rows) {
    await t.test(row.name, async () => {
      const reference = await responsesOf(row, original, sharedRevisions);
      const drift = compareResults({ ours: recordedResponses(golden, row), reference });
      assert.deepEqual(drift, [], formatDifferences(drift));
    });
  }
});

/** Two timeouts of the original end at the same moment: it responds 504, or, seldom, resets the stream. */
const RACES_IN_THE_ORIGINAL = 'proxy: an answer that comes too late';
const ASKED_MAX = 5;

async function responsesOf(
  row: Row,
  original: Target,
  sharedRevisions: boolean,
): Promise<StepResult[]> {
  for (let asked = 1; ; asked += 1) {
    const responses = await resultsOf(row, original, { runId: `live-${asked}`, sharedRevisions });
    const isReset = responses.some(({ broken }) => broken !== undefined);
    if (row.name !== RACES_IN_THE_ORIGINAL || !isReset || asked === ASKED_MAX) return responses;
  }
}

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
