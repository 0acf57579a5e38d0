/** Leaves out steps for as long as a difference remains. */
import { isWatchStep, type Row, type Step } from '../differential/row.ts';
import type { Verdict } from '../differential/verdict.ts';

const ATTEMPTS_MAX = 120;

export interface Shorter {
  readonly row: Row;
  readonly message: string;
}

/** `attempt` says whether a sequence still differs; it must, before. */
export async function shortenSequence(
  row: Row,
  attempt: (row: Row) => Promise<Verdict>,
): Promise<Shorter> {
  let left = ATTEMPTS_MAX;
  let best: Shorter = { row, message: (await attempt(row)).message };
  const differs = async (steps: readonly Step[]): Promise<boolean> => {
    left -= 1;
    const shorter = { ...row, steps };
    const verdict = await attempt(shorter);
    if (verdict.outcome === 'green') return false;
    best = { row: shorter, message: verdict.message };
    return true;
  };
  // Halves first, then quarters: most steps have nothing to do with it.
  for (let size = Math.ceil(countOf(row.steps) / 2); size >= 1; size = Math.floor(size / 2)) {
    let from = 0;
    while (from < countOf(best.row.steps) && left > 0) {
      const shorter = without(best.row.steps, { from, size });
      if (!(await differs(shorter))) from += size;
    }
  }
  return best;
}

/** Steps and watches; what happens during a watch is counted where it would be without. */
function countOf(steps: readonly Step[]): number {
  return steps.reduce(
    (sum, step) => sum + 1 + (isWatchStep(step) ? countOf(step.during ?? []) : 0),
    0,
  );
}

/** Without some steps in a row; those during a watch that goes stay, in its place. */
function without(
  steps: readonly Step[],
  { from, size }: { readonly from: number; readonly size: number },
): Step[] {
  let position = 0;
  const retained = (all: readonly Step[]): Step[] =>
    all.flatMap((step): Step[] => {
      const isRetained = position < from || position >= from + size;
      position += 1;
      if (!isWatchStep(step)) return isRetained ? [step] : [];
      const during = retained(step.during ?? []);
      return isRetained ? [{ ...step, during }] : during;
    });
  return retained(steps);
}
