/** kube-apiserver and our control plane at the same time, and the original against what it said when it was recorded. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireProgram } from '../../test/harness/index.ts';
import { startOurCore, whyNotOurs } from '../core/ours.ts';
import { startCoreReference } from '../core/reference.ts';
import { customGroups } from '../core/rows/custom-resources.ts';
import { rows } from '../core/rows/index.ts';
import { coreSuite } from '../core/suite.ts';
import { compareResults, formatDifferences } from '../differential/compare.ts';
import type { Row } from '../differential/row.ts';
import { resultsOf } from '../differential/run-row.ts';
import {
  compareRow,
  countOutcomes,
  describeCounts,
  type Verdict,
} from '../differential/verdict.ts';
import { isFull } from '../full.ts';
import { readGolden, readGoldenFiles, recordedResponses } from '../golden/store.ts';

test('the control plane and kube-apiserver side by side', async (t) => {
  if ((await requireProgram(t, 'go')) === undefined) return;
  const { responsesDir, lists, sharedRevisions } = coreSuite;
  const golden = await readGolden(responsesDir);
  const original = await startCoreReference(t);
  const why = await whyNotOurs();
  const ours = why === undefined ? await startOurCore(t) : undefined;
  if (why !== undefined) t.diagnostic(why);
  await t.test('the golden answers are of this release', async () => {
    const recorded = new Set((await readGoldenFiles(responsesDir)).map(({ version }) => version));
    assert.deepEqual([...recorded], [original.version], 'run: npm run golden:record');
  });
  const verdicts: Verdict[] = [];
  for (const row of asked(rows)) {
    await t.test(row.name, async () => {
      const options = { runId: 'live', sharedRevisions };
      const [reference, own] = await Promise.all([
        resultsOf(row, original, options),
        ours === undefined ? undefined : resultsOf(row, ours, options),
      ]);
      const drift = compareResults({ ours: recordedResponses(golden, row), reference });
      assert.deepEqual(
        drift,
        [],
        `golden answers (ours) drifted from the original\n${formatDifferences(drift)}`,
      );
      if (own === undefined) return;
      const verdict = compareRow(row.name, { ours: own, reference }, lists);
      verdicts.push(verdict);
      assert.notEqual(verdict.outcome, 'failed', verdict.message);
    });
  }
  t.diagnostic(`${original.version}, ${describeCounts(countOutcomes(verdicts))}`);
});

/** One in so many, where the original takes seconds for each. */
const SELDOM = 8;

/**
 * The original waits for two seconds before it creates the first object of a new kind, and nearly every row about custom resources
 * defines one. All of them are replayed against ours in every run, and asked of the original in the full one.
 */
function asked(all: readonly Row[]): readonly Row[] {
  if (isFull) return all;
  const slow = customGroups.flatMap((group) => group.rows);
  const left = new Set(slow.filter((_, at) => at % SELDOM !== 0));
  return all.filter((row) => !left.has(row));
}
