/** The original and our server at the same time, and the original against what it said when it was recorded. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireProgram } from '../../test/harness/index.ts';
import { compareResults, formatDifferences } from '../differential/compare.ts';
import { lists } from '../differential/lists.ts';
import { startOurs } from '../differential/ours.ts';
import { startReference } from '../differential/reference.ts';
import { rows } from '../differential/rows/index.ts';
import { resultsOf } from '../differential/run-row.ts';
import {
  compareRow,
  countOutcomes,
  describeCounts,
  staleEntries,
  type Verdict,
} from '../differential/verdict.ts';
import { readGolden, readGoldenFiles, recordedResponses } from '../golden/store.ts';

test('wardle and the Go sample-apiserver side by side', async (t) => {
  if ((await requireProgram(t, 'go')) === undefined) return;
  const golden = await readGolden();
  const [original, ours] = [await startReference(t), await startOurs(t)];
  await t.test('the golden answers are of this release', async () => {
    const recorded = new Set((await readGoldenFiles()).map(({ version }) => version));
    assert.deepEqual([...recorded], [original.version], 'run: npm run golden:record');
  });
  const verdicts: Verdict[] = [];
  for (const row of rows) {
    await t.test(row.name, async () => {
      const [reference, own] = await Promise.all([
        resultsOf(row, original, { runId: 'live' }),
        resultsOf(row, ours, { runId: 'live' }),
      ]);
      const drift = compareResults({ ours: recordedResponses(golden, row), reference });
      assert.deepEqual(
        drift,
        [],
        `golden answers (ours) drifted from the original\n${formatDifferences(drift)}`,
      );
      const verdict = compareRow(row.name, { ours: own, reference }, lists);
      verdicts.push(verdict);
      assert.notEqual(verdict.outcome, 'failed', verdict.message);
    });
  }
  await t.test('every entry of the lists is still needed', () => {
    assert.deepEqual(staleEntries(verdicts, lists), []);
  });
  t.diagnostic(`${original.version}, ${describeCounts(countOutcomes(verdicts))}`);
});
