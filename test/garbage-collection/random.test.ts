/** Random owner graphs over three servers, which are killed meanwhile: what is left is what the model says. */
import { test } from 'node:test';
import { isFull } from '../../interop/full.ts';
import { SeededRandom, seededRandom } from '../harness/index.ts';
import { type OurSite, startOurSite } from './our-site.ts';
import { runGraph, type UnderWay } from './run-graph.ts';

/** The long run is for `npm run test:full`. */
const RUN = isFull
  ? { graphs: 10, size: 80, rounds: 6, kills: 2 }
  : { graphs: 1, size: 30, rounds: 2, kills: 1 };
const WITHIN_MS = 120_000;

test('random owner graphs over three servers that are killed', async (t) => {
  const random = seededRandom(t);
  const beganMs = performance.now();
  const onEvent = (what: string) => {
    t.diagnostic(`${Math.round(performance.now() - beganMs)} ms: ${what}`);
  };
  const site = await startOurSite(t);
  onEvent('three servers run');
  for (let graph = 0; graph < RUN.graphs; graph += 1) {
    const own = new SeededRandom(random.int(0, 2 ** 31));
    await runGraph(site, own, {
      size: RUN.size,
      rounds: RUN.rounds,
      deletions: 4,
      withinMs: WITHIN_MS,
      onEvent,
      disturb: (_, deletions) => killSome(site, own, deletions),
    });
  }
});

/** Each is back before its round is checked: the objects of an absent server are unknown. */
async function killSome(site: OurSite, random: SeededRandom, deletions: UnderWay): Promise<void> {
  const victims = random.shuffle([site.core, site.wardle, site.gadgets]).slice(0, RUN.kills);
  await Promise.all(
    victims.map(async (victim) => {
      await deletions.acknowledged(random.int(0, deletions.count));
      await victim.kill();
      await victim.start();
    }),
  );
}
