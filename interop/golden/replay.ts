/** One of our servers against what the original said, without the original. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Row, RowGroup } from '../differential/row.ts';
import { resultsOf } from '../differential/run-row.ts';
import type { StepResult } from '../differential/step-result.ts';
import { rowsOf, type Suite } from '../differential/suite.ts';
import type { Target } from '../differential/target.ts';
import {
  compareRow,
  countOutcomes,
  describeCounts,
  staleEntries,
  type Verdict,
} from '../differential/verdict.ts';
import { readGolden, recordedResponses } from './store.ts';

/** Groups of rows that share a server. Rows of one part run one after the other, parts side by side. */
export interface Part {
  name: string;
  groups: readonly RowGroup[];
  start(t: TestContext): Promise<Target>;
}

/** A test for each row, and one for the lists. `t` must allow as many subtests at once as there are parts. */
export async function replaySuite(
  t: TestContext,
  suite: Suite,
  parts: readonly Part[],
): Promise<void> {
  const verdicts: Verdict[] = [];
  const golden = await readGolden(suite.responsesDir);
  await Promise.all(
    parts.map(({ name, groups, start }) =>
      t.test(name, async (part) => {
        const target = await start(part);
        for (const row of rowsOf({ groups })) {
          await part.test(row.name, async () => {
            const reference = recordedResponses(golden, row);
            const verdict = await replayRow(row, { suite, target, reference });
            verdicts.push(verdict);
            assert.notEqual(verdict.outcome, 'failed', verdict.message);
          });
        }
      }),
    ),
  );
  await t.test('every row is in one part', () => {
    const replayed = parts.flatMap(({ groups }) => rowsOf({ groups }).map(({ name }) => name));
    assert.deepEqual(
      replayed.toSorted(),
      rowsOf(suite)
        .map(({ name }) => name)
        .toSorted(),
    );
  });
  await t.test('every entry of the lists is still needed', () => {
    assert.deepEqual(staleEntries(verdicts, suite.lists), []);
  });
  t.diagnostic(describeCounts(countOutcomes(verdicts)));
}

/** A suite whose groups do not depend on each other, spread over some servers. */
export function spreadOver(count: number, suite: Suite, start: Part['start']): Part[] {
  const parts = Map.groupBy(suite.groups, (group) => suite.groups.indexOf(group) % count);
  return [...parts].map(([number, groups]) => ({ name: `server ${number + 1}`, groups, start }));
}

interface Replay {
  suite: Suite;
  target: Target;
  reference: readonly StepResult[];
}

async function replayRow(row: Row, { suite, target, reference }: Replay): Promise<Verdict> {
  const { lists, sharedRevisions } = suite;
  const options = { runId: 'replay', sharedRevisions, reference, listen: roundTrips };
  const ours = await resultsOf(row, target, options);
  return compareRow(row.name, { ours, reference }, lists);
}

const ROUND_TRIPS = 5;

/** A pending watch event of one of our servers has been sent after a few other requests. */
async function roundTrips(target: Target): Promise<void> {
  const call = { method: 'GET', url: '/livez', headers: {}, body: undefined } as const;
  for (let trip = 0; trip < ROUND_TRIPS; trip += 1) {
    await target.send({ ...call, protocol: 'h2', as: 'admin' });
  }
}

/** Names of recorded rows that the table no longer has. */
export async function strayResponses(suite: Suite): Promise<string[]> {
  const names = new Set(rowsOf(suite).map(({ name }) => name));
  return [...(await readGolden(suite.responsesDir)).keys()].filter((name) => !names.has(name));
}
