/** The judge judged, for one table: it passes what the original said, and fails every server with a bug in it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readGolden, recordedResponses } from '../golden/store.ts';
import { type Mutant, mutate, onBody } from './mutants.ts';
import type { Row, Step } from './row.ts';
import { namespaceOf, resultsOf } from './run-row.ts';
import { rowsOf, type Suite } from './suite.ts';
import { tapeTarget } from './tape.ts';
import type { Target } from './target.ts';
import { compareRow, type Lists, type Verdict } from './verdict.ts';

const noLists: Lists = { differences: [], todoRows: [], todoPaths: [] };
const runId = 'tape';

export interface ComparisonTests {
  suite: Suite;
  mutants: readonly Mutant[];
  /** Rows about the layout of the JSON, which the layer that makes bugs writes anew. */
  layoutRows?: readonly string[];
}

/** Registers the tests. */
export async function comparisonSuite({
  suite,
  mutants,
  layoutRows = [],
}: ComparisonTests): Promise<void> {
  const golden = await readGolden(suite.responsesDir);
  const rows = rowsOf(suite);

  async function checkTape(
    row: Row,
    wrap: (target: Target) => Target,
    patienceMs = 500,
  ): Promise<Verdict> {
    const reference = recordedResponses(golden, row);
    const plain: Row = { ...row, steps: row.steps.map(withoutView) };
    const namespace = namespaceOf(row, runId);
    const tape = tapeTarget({ responses: reference, namespace, now: Date.now() });
    const { sharedRevisions } = suite;
    const options = { runId, sharedRevisions, quietMs: 20, patienceMs, reference };
    const ours = await resultsOf(plain, wrap(tape), options);
    return compareRow(row.name, { ours, reference }, noLists);
  }

  function rowOf({ row: name }: Mutant): Row {
    const row = rows.find((candidate) => candidate.name === name);
    assert.ok(row, `no row is called "${name}"`);
    return row;
  }

  for (const row of rows) {
    test(`the original passes: ${row.name}`, async () => {
      const verdict = await checkTape(row, (target) => target);
      assert.equal(verdict.outcome, 'green', verdict.message);
    });
  }

  for (const mutant of mutants) {
    test(`caught: ${mutant.name}`, async () => {
      const verdict = await checkTape(rowOf(mutant), (target) => mutate(target, mutant));
      assert.equal(verdict.outcome, 'failed', `${mutant.name} went unnoticed in "${mutant.row}"`);
      assert.match(verdict.message, /differs from the original/);
    });
  }

  test('the layer that makes bugs is not one itself', async () => {
    const identity: Mutant = {
      name: '',
      row: '',
      response: onBody((b) => b),
      events: (all) => all,
    };
    const mutated = new Set(mutants.map(({ row }) => row));
    for (const name of mutated.difference(new Set(layoutRows))) {
      const mutant = { ...identity, row: name };
      const verdict = await checkTape(rowOf(mutant), (target) => mutate(target, mutant));
      assert.equal(verdict.outcome, 'green', verdict.message);
    }
  });

  test('there are at least ten bugs to catch', () => {
    assert.ok(mutants.length >= 10);
  });

  test('a wrong status code is caught in every row', async () => {
    const wrong: Mutant = {
      name: 'another status',
      row: '',
      response: (response) => ({ ...response, status: response.status + 1 }),
      events: () => [{ type: 'BOGUS', object: {} }],
    };
    for (const row of rows) {
      const verdict = await checkTape(row, (target) => mutate(target, wrong), 10);
      assert.equal(verdict.outcome, 'failed', row.name);
    }
  });
}

/** Recorded results have been through the view already, and the awaited one is recorded. */
function withoutView(step: Step): Step {
  if (!('view' in step) && !('until' in step)) return step;
  const { view: _, until: __, ...rest } = step as Step & { view?: unknown; until?: unknown };
  return rest as Step;
}
