import { timeoutParameterMs } from '@tributary/apimachinery';
import type { Clock } from '@tributary/storage';
import type { ApiRequest, Filter } from '../pipeline.ts';

export interface DeadlineOptions {
  readonly clock: Clock;
  readonly requestTimeoutMs: number;
}

export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';

  constructor() {
    super('the request took too long');
  }
}

/** Ends what takes too long; a watch lives by its own deadline. */
export const withDeadline =
  ({ clock, requestTimeoutMs }: DeadlineOptions): Filter =>
  (next) =>
  async (request) => {
    if (request.info.verb === 'watch') return next(request);
    const { cancellation } = request;
    cancellation.limit(clock, timeoutOf(request, requestTimeoutMs), () => new DeadlineExceeded());
    try {
      return await next(request);
    } catch (error) {
      // What fails because its time was up fails for that reason, whatever it says.
      throw cancellation.reason ?? error;
    } finally {
      cancellation.release();
    }
  };

function timeoutOf({ query }: ApiRequest, maxMs: number): number {
  const asked = timeoutParameterMs(query) ?? 0;
  return asked <= 0 || asked > maxMs ? maxMs : asked;
}
