/**
 * Turns of the event loop: enough for code that waits only for promises and immediates, at any speed of the
 * machine.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

const TURNS = 20;

/** Runs everything that needs no timer and no I/O of another process. */
export async function turns(count: number = TURNS): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}
