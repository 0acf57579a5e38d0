import { batcher } from '../../request/batcher.ts';

/** Requests that are handled before the first of their responses is sent. */
const COHORT_MAX = 32;

interface Cohorts<T> {
  /** Runs for every member of a cohort before `second` runs for any. */
  readonly first: (member: T) => void;
  readonly second: (member: T) => void;
}

/**
 * Collects the requests of one turn of the event loop, and runs each step for all of them before the next. Between two
 * requests of different connections the processor runs so much other code (the kernel, TLS, parsing) that the filters'
 * code leaves its caches; handled one after the other they cost half. A single request waits for the end of the turn.
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
