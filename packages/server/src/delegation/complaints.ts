import type { Clock } from '@tributary/storage';
import type { Logger } from '../operations/logging/logger.ts';
import { problemLog } from '../operations/logging/problem-log.ts';

/** What is wrong with something that is tried again and again. The same is logged only now and then. */
export interface Complaints {
  /** Nothing while nothing was wrong yet. */
  readonly last: string | undefined;
  add(problem: unknown): void;
}

export function complaints(log: Logger, clock: Clock, what: string): Complaints {
  const report = problemLog(clock, (text) => log.error(text.trimEnd(), what));
  let last: string | undefined;
  return {
    get last() {
      return last;
    },
    add(problem) {
      last = problem instanceof Error ? problem.message : String(problem);
      report(last);
    },
  };
}
