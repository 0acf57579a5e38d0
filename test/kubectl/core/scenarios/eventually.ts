import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage, Step } from '../../scenario.ts';

/** Controllers follow within moments; a second on a busy machine. */
const EVENTUALLY_MS = 25_000;
const AGAIN_MS = 100;

/** Repeats a step until it is as expected; after a bound its last failure is the failure. */
export async function eventually({ step }: Stage, wanted: Step, againMs = AGAIN_MS): Promise<void> {
  const end = Date.now() + EVENTUALLY_MS;
  for (;;) {
    try {
      await step(wanted);
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
      await sleep(againMs);
    }
  }
}
