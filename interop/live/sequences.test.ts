/**
 * The same random sequences of several clients, sent to the originals and to ours: answers, lists and watches are the
 * same. `SEQUENCES=1000` runs as many of each world, `SEQUENCES_SEED` others.
 */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { createScope } from '../../test/harness/index.ts';
import { compareSequences } from '../sequences/compare-sequences.ts';
import { describeFinding } from '../sequences/describe-finding.ts';
import type { Sides } from '../sequences/run-sequence.ts';
import { startControlPlanes, startSamples } from '../sequences/sides.ts';
import type { World } from '../sequences/world.ts';
import { aggregated, core, direct } from '../sequences/worlds.ts';

const COUNT = Number(process.env.SEQUENCES ?? 20);
const SEED = Number(process.env.SEQUENCES_SEED ?? 1);
/** More than this differing once but not again is a race of ours, not a moment of the original. */
const UNSTEADY_SHARE_MAX = 0.1;

suite('sequences of clients', () => {
  const scope = createScope('sequences');
  let controlPlanes: Sides;
  let samples: Sides;

  before(async () => {
    [controlPlanes, samples] = await Promise.all([startControlPlanes(scope), startSamples(scope)]);
  });
  after(() => scope.close());

  const compared = (world: World, sides: () => Sides): void => {
    test(world.name, async (t) => {
      const run = await compareSequences({ world, sides: sides(), seed: SEED, count: COUNT });
      t.diagnostic(`${run.count} sequences of ${run.steps} steps`);
      t.diagnostic(`differed once, not again: ${run.unsteady.join(', ') || 'none'}`);
      for (const [id, times] of run.known) t.diagnostic(`${times} times: ${id}`);
      assert.deepEqual(run.findings.map(describeFinding), []);
      assert.equal(run.count, COUNT);
      assert.ok(run.unsteady.length <= Math.ceil(COUNT * UNSTEADY_SHARE_MAX));
    });
  };

  compared(core, () => controlPlanes);
  compared(aggregated, () => controlPlanes);
  compared(direct, () => samples);
});
