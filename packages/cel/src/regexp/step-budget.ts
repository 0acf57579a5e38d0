import { CostLimitExceeded } from '../errors.ts';

/** Counts the work of a search. */
export interface StepBudget {
  remaining: number;
}

/**
 * Steps of one search, so many for each character that a pattern of some dozens of instructions is never stopped.
 * Upstream has no such bound: its searches are linear too, but a pattern of hundreds of instructions that are all under
 * way at once takes that much longer, and here everything else would wait.
 */
const STEPS_BASE = 20_000;
const STEPS_PER_CHARACTER = 64;
/** Some tens of milliseconds. */
export const SEARCH_STEPS_MAX = 1_500_000;

export function newStepBudget(text: string): StepBudget {
  const remaining = STEPS_BASE + STEPS_PER_CHARACTER * text.length;
  return { remaining: Math.min(SEARCH_STEPS_MAX, remaining) };
}

export function spend(budget: StepBudget, steps: number): void {
  budget.remaining -= steps;
  if (budget.remaining < 0) throw new CostLimitExceeded();
}
