import type { Clock } from '@tributary/storage';
import type { Logger } from '../operations/logging/logger.ts';
import { problemLog } from '../operations/logging/problem-log.ts';

/** Errors of a repeated operation. The same error is logged only now and then. */
interface RepeatedErrors {
  /** Undefined before the first error. */
  readonly last: string | undefined;
  add(problem: unknown): void;
}

export function repeatedErrors(log: Logger, clock: Clock, message: string): RepeatedErrors {
  const report = problemLog(clock, (text) => log.error(text.trimEnd(), message));
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
