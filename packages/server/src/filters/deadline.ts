import { timeoutParameterMs } from '@tributary/apimachinery';
import type { Clock } from '@tributary/storage';
import type { ApiRequest, Filter } from '../pipeline.ts';

export interface DeadlineOptions {
  readonly clock: Clock;
  readonly requestTimeoutMs: number;
}

export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';
}

/** Ends what takes too long; a watch lives by its own deadline. */
export const withDeadline =
  ({ clock, requestTimeoutMs }: DeadlineOptions): Filter =>
  (next) =>
  async (request) => {
    if (request.info.verb === 'watch') return next(request);
    const abort = new AbortController();
    const onGone = () => abort.abort(request.signal.reason);
    if (request.signal.aborted) onGone();
    else request.signal.addEventListener('abort', onGone, { once: true });
    const cancel = clock.schedule(timeoutOf(request, requestTimeoutMs), () =>
      abort.abort(new DeadlineExceeded('the request took too long')),
    );
    try {
      return await next({ ...request, signal: abort.signal });
    } catch (error) {
      throw abort.signal.aborted ? abort.signal.reason : error;
    } finally {
      cancel();
      request.signal.removeEventListener('abort', onGone);
    }
  };

function timeoutOf({ query }: ApiRequest, maxMs: number): number {
  const asked = timeoutParameterMs(query) ?? 0;
  return asked <= 0 || asked > maxMs ? maxMs : asked;
}
