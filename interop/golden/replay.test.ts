/** Our server against what the original said, without the original. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lists } from '../differential/lists.ts';
import { startOurs } from '../differential/ours.ts';
import { rows } from '../differential/rows/index.ts';
import { answersTo } from '../differential/run-row.ts';
import {
  countOutcomes,
  describeCounts,
  judge,
  staleEntries,
  type Verdict,
} from '../differential/verdict.ts';
import { readGolden, recordedAnswers } from './store.ts';

test('wardle answers like the Go sample-apiserver did', async (t) => {
  const golden = await readGolden();
  const target = await startOurs(t);
  const verdicts: Verdict[] = [];
  for (const row of rows) {
    await t.test(row.name, async () => {
      const reference = recordedAnswers(golden, row);
      const ours = await answersTo(row, target, { runId: 'replay' });
      const verdict = judge(row.name, { ours, reference }, lists);
      verdicts.push(verdict);
      assert.notEqual(verdict.outcome, 'failed', verdict.message);
    });
  }
  await t.test('every entry of the lists is still needed', () => {
    assert.deepEqual(staleEntries(verdicts, lists), []);
  });
  t.diagnostic(describeCounts(countOutcomes(verdicts)));
});

test('golden answers belong to a row', async () => {
  const names = new Set(rows.map(({ name }) => name));
  const stray = [...(await readGolden()).keys()].filter((name) => !names.has(name));
  assert.deepEqual(stray, [], 'recorded but no longer in the table; run: npm run golden:record');
});
