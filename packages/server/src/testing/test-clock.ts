import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, type ManualClock, manualClock } from '@tributary/storage';

/** Time that passes only when a test says so. */
export interface TestClock extends Clock {
  /** Lets time pass; resolves when what fell due has run as far as it can. */
  advance(byMs: number): Promise<void>;
}

/** 2030-01-01: far from every real time, so that a real clock shows where it slips in. */
export const testStartMs = Date.UTC(2030, 0, 1);

/** Turns of the event loop that a due timer's consequences get, such as the end of a watch. */
const TURNS = 3;

/** The clock of whichever server is the present one: a reset starts another time. */
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

  /** Back to the start; what was scheduled never runs. */
  restart(): void {
    this.#manual = manualClock(this.#startMs);
  }
}
