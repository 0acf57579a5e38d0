import { timeoutParameterMs } from '@tributary/apimachinery';
import type { Clock } from '@tributary/storage';
import type { Answer, ApiRequest, Filter, Handler } from '../pipeline.ts';
import { settled } from '../settle.ts';
import { isWatch, type LongRunningCheck } from './long-running.ts';

export interface DeadlineOptions {
  readonly clock: Clock;
  readonly requestTimeoutMs: number;
  /** Default: watches. */
  readonly isLongRunning?: LongRunningCheck;
}

export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';

  constructor() {
    super('the request took too long');
  }
}

const exceeded = () => new DeadlineExceeded();

/** Ends what takes too long; a watch lives by its own deadline. */
export const withDeadline =
  ({ clock, requestTimeoutMs, isLongRunning = isWatch }: DeadlineOptions): Filter =>
  (next) =>
  (request) => {
    if (isLongRunning(request.info)) return next(request);
    request.cancellation.limit(clock, timeoutOf(request, requestTimeoutMs), exceeded);
    return limited(request, next);
  };

function limited(request: ApiRequest, next: Handler): Answer {
  const { cancellation } = request;
  return settled(() => next(request), {
    fail: (error) => {
      // What fails because its time was up fails for that reason, whatever it says.
      throw cancellation.reason ?? error;
    },
    end: () => cancellation.release(),
  });
}

function timeoutOf({ query }: ApiRequest, maxMs: number): number {
  if (query.size === 0) return maxMs;
  const asked = timeoutParameterMs(query) ?? 0;
  return asked <= 0 || asked > maxMs ? maxMs : asked;
}
