import { progress, turns } from '../harness/index.ts';
import type { Disturbance } from './attack.ts';

export interface KillingOptions {
  readonly kills: number;
  /** How many writes are acknowledged between two kills, and after the last. */
  readonly lifeWrites: { readonly min: number; readonly max: number };
  /** Prints a progress line after so many kills; absent: none. */
  readonly progressEvery?: number;
}

/** So that a kill does not always come right behind an answer. */
const MORE_TURNS_MAX = 200;
/** Some servers are killed once more, while they start. */
const IN_VAIN_CHANCE = 0.2;

/** The server is killed with SIGKILL at random moments, and started again on what is there. */
export function killing({ kills, lifeWrites, progressEvery }: KillingOptions): Disturbance {
  return async ({ target, recorder, random, signal }) => {
    const startedMs = performance.now();
    const live = async () => {
      await recorder.acknowledges(random.int(lifeWrites.min, lifeWrites.max), signal);
      await turns(random.int(0, MORE_TURNS_MAX));
    };
    for (let kill = 1; kill <= kills; kill += 1) {
      await live();
      await target.kill();
      if (random.chance(IN_VAIN_CHANCE)) await target.startInVain(random);
      await target.start();
      if (progressEvery !== undefined && kill % progressEvery === 0) {
        const seconds = Math.round((performance.now() - startedMs) / 1000);
        const { acknowledged } = recorder.counts;
        progress(`${kill} of ${kills} kills, ${acknowledged} writes acknowledged, ${seconds} s`);
      }
    }
    await live();
  };
}
