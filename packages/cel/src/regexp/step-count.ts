import { CostLimitExceeded } from '../values/errors.ts';
import type { Step } from '../values/value.ts';

/** How many characters that are only looked up cost as much as one step. */
export const CHARACTERS_PER_STEP = 2;

/** Counts the work of a search, and ends it by throwing CostLimitExceeded when there is too much. */
export interface StepCount {
  add(steps: number): void;
}

/** Told to the evaluation that it is part of, whose bound is for everything it does. */
export function countedBy(step: Step): StepCount {
  return { add: step };
}

/**
 * Steps of a search on its own, so many for each character that a pattern of some dozens of instructions is never stopped.
 * Upstream has no such bound: its searches are linear too, but a pattern of hundreds of instructions that are all under
 * way at once takes that much longer, and here everything else would wait.
 */
const STEPS_BASE = 40_000;
const STEPS_PER_CHARACTER = 128;
/** Some tens of milliseconds. */
const SEARCH_STEPS_MAX = 3_000_000;

export function countedAlone(text: string): StepCount {
  let remaining = Math.min(SEARCH_STEPS_MAX, STEPS_BASE + STEPS_PER_CHARACTER * text.length);
  return {
    add(steps) {
      remaining -= steps;
      if (remaining < 0) throw new CostLimitExceeded();
    },
  };
}
