/** One of our servers against what the original said, without the original. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { answersTo } from '../differential/run-row.ts';
import { rowsOf, type Suite } from '../differential/suite.ts';
import type { Target } from '../differential/target.ts';
import {
  countOutcomes,
  describeCounts,
  judge,
  staleEntries,
  type Verdict,
} from '../differential/verdict.ts';
import { readGolden, recordedAnswers } from './store.ts';

/** A test for each row, and one for the lists. */
export async function replaySuite(t: TestContext, suite: Suite, target: Target): Promise<void> {
  const { lists, sharedRevisions } = suite;
  const golden = await readGolden(suite.answersDir);
  const verdicts: Verdict[] = [];
  for (const row of rowsOf(suite)) {
    await t.test(row.name, async () => {
      const reference = recordedAnswers(golden, row);
      const ours = await answersTo(row, target, {
        runId: 'replay',
        sharedRevisions,
        reference,
        listen: roundTrips,
      });
      const verdict = judge(row.name, { ours, reference }, lists);
      verdicts.push(verdict);
      assert.notEqual(verdict.outcome, 'failed', verdict.message);
    });
  }
  await t.test('every entry of the lists is still needed', () => {
    assert.deepEqual(staleEntries(verdicts, lists), []);
  });
  t.diagnostic(describeCounts(countOutcomes(verdicts)));
}

const ROUND_TRIPS = 5;

/** What one of our servers has still to send to a watch it has sent after a few other requests. */
async function roundTrips(target: Target): Promise<void> {
  const call = { method: 'GET', url: '/livez', headers: {}, body: undefined } as const;
  for (let trip = 0; trip < ROUND_TRIPS; trip += 1) {
    await target.send({ ...call, protocol: 'h2', as: 'admin' });
  }
}

/** Names of recorded rows that the table no longer has. */
export async function strayAnswers(suite: Suite): Promise<string[]> {
  const names = new Set(rowsOf(suite).map(({ name }) => name));
  return [...(await readGolden(suite.answersDir)).keys()].filter((name) => !names.has(name));
}
