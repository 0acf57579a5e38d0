import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, type ManualClock, manualClock } from '@tributary/storage';

/** Time that passes only when a test advances it. */
export interface TestClock extends Clock {
  /** Advances the time; resolves when due timers have run as far as they can. */
  advance(byMs: number): Promise<void>;
}

/** 2030-01-01: far from the real time, so that a use of the real clock is visible. */
export const testStartMs = Date.UTC(2030, 0, 1);

/** Turns of the event loop for the consequences of a due timer, such as the end of a watch. */
const TURNS = 3;

/** The clock of the current server: a reset starts a new time. */
export class ResettableClock implements TestClock {
  readonly #startMs: number;
  #manual: ManualClock;

  constructor(startMs: number) {
    this.#startMs = startMs;
    this.#manual = manualClock(startMs);
  }

  nowMs = (): number => this.#manual.nowMs();

  schedule = (delayMs: number, run: () => void): (() => void) =>
    this.#manual.schedule(delayMs, run);

  async advance(byMs: number): Promise<void> {
    this.#manual.advance(byMs);
    for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
  }

  /** Returns to the start; pending timers never run. */
  restart(): void {
    this.#manual = manualClock(this.#startMs);
  }
}
