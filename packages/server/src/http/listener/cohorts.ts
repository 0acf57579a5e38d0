import { batcher } from '../../request/batcher.ts';

/** So many are handled before the first of them is answered. */
const COHORT_MAX = 32;

export interface Cohorts<T> {
  /** First for every member of a cohort, then `second` for every member. */
  readonly first: (member: T) => void;
  readonly second: (member: T) => void;
}

/**
 * Gathers what comes in one turn of the event loop, and does the same step for all of it before the next. Between two
 * requests of different connections the processor does so much else (the kernel, TLS, parsing) that it has forgotten
 * the code of the filters; handled one after the other they cost half. A request alone waits for the end of the turn.
 */
export function inCohorts<T>({ first, second }: Cohorts<T>): (member: T) => void {
  const { add } = batcher<T>((members) => {
    for (let start = 0; start < members.length; start += COHORT_MAX) {
      const cohort = members.slice(start, start + COHORT_MAX);
      for (const member of cohort) first(member);
      for (const member of cohort) second(member);
    }
  });
  return add;
}
