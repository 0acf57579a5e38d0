/** The collector of the original, judged by the model that ours is judged by; and what both say of a wrong owner. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runGraph } from '../../test/garbage-collection/run-graph.ts';
import { startSimulatedSite } from '../../test/garbage-collection/simulated-site.ts';
import { requireProgram, SeededRandom, seededRandom } from '../../test/harness/index.ts';
import { isFull } from '../full.ts';
import { ownerEvent } from '../garbage-collection/owner-event.ts';
import { startRealSite } from '../garbage-collection/real-site.ts';

const RUN = isFull ? { graphs: 20, size: 80, rounds: 6 } : { graphs: 2, size: 40, rounds: 4 };
/** Failed attempts are repeated after growing pauses. */
const WITHIN_MS = 60_000;

test('the original’s collector', async (t) => {
  if ((await requireProgram(t, 'go')) === undefined) return;
  const random = seededRandom(t);
  const real = await startRealSite(t);

  await t.test('leaves of random owner graphs what the model says', async (t) => {
    for (let graph = 0; graph < RUN.graphs; graph += 1) {
      const own = new SeededRandom(random.int(0, 2 ** 31));
      const { size, rounds } = RUN;
      await runGraph(real, own, {
        size,
        rounds,
        deletions: 4,
        undecidedOwnNothing: true,
        withinMs: WITHIN_MS,
        onEvent: (what) => t.diagnostic(`seed ${own.seed}: ${what}`),
      });
    }
  });

  await t.test('says of an owner in another namespace what ours says', async (t) => {
    const ours = await startSimulatedSite(t);
    assert.deepEqual(await ownerEvent(ours), await ownerEvent(real));
  });
});
