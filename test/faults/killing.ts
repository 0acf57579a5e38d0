import { setTimeout as sleep } from 'node:timers/promises';
import { progress, type SeededRandom } from '../harness/index.ts';
import type { Disturbance } from './attack.ts';
import type { Recorder } from './recorder.ts';

export interface KillingOptions {
  readonly kills: number;
  /** How many writes are acknowledged between two kills, and after the last. */
  readonly lifeWrites: { readonly min: number; readonly max: number };
  /** A line for who waits, after so many kills; absent: none. */
  readonly progressEvery?: number;
}

/** A slow machine makes lives long, but not longer than this. */
const LIFE_MS_MAX = 4000;
/** So that a kill does not always come right behind an answer. */
const MORE_MS_MAX = 40;
const POLL_MS = 3;
/** Some servers are killed once more, while they start. */
const IN_VAIN = { chance: 0.2, minMs: 50, maxMs: 700 } as const;

/** The server is killed with SIGKILL at random moments, and started again on what is there. */
export function killing({ kills, lifeWrites, progressEvery }: KillingOptions): Disturbance {
  return async ({ target, recorder, random, signal }) => {
    const startedMs = performance.now();
    const live = () => {
      const writes = random.int(lifeWrites.min, lifeWrites.max);
      return pass({ writes, msMax: LIFE_MS_MAX }, { recorder, random, signal });
    };
    for (let kill = 1; kill <= kills; kill += 1) {
      await live();
      await target.kill();
      if (random.chance(IN_VAIN.chance)) {
        await target.startInVain(random.int(IN_VAIN.minMs, IN_VAIN.maxMs));
      }
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

/** Until so many writes were acknowledged or the time is over, and a moment more. */
export async function pass(
  { writes, msMax }: { writes: number; msMax: number },
  run: { recorder: Recorder; random: SeededRandom; signal: AbortSignal },
): Promise<void> {
  const { recorder, random, signal } = run;
  const enough = recorder.counts.acknowledged + writes;
  const deadline = performance.now() + msMax;
  while (recorder.counts.acknowledged < enough && performance.now() < deadline) {
    await sleep(POLL_MS, undefined, { signal });
  }
  await sleep(random.int(0, MORE_MS_MAX), undefined, { signal });
}
