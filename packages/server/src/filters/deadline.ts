import { timeoutParameterMs } from '@tributary/apimachinery';
import type { Clock } from '@tributary/storage';
import { isWatch, type LongRunningCheck } from '../request/long-running.ts';
import { andThen, runCatching } from '../request/maybe-promise.ts';
import type {
  ApiRequest,
  ApiResponse,
  Filter,
  Handler,
  HandlerResult,
} from '../request/pipeline.ts';
import { onRequestEnd } from '../request/request-context.ts';

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

/** Ends requests at their deadline; a watch has its own timeout. */
export const withDeadline =
  ({ clock, requestTimeoutMs, isLongRunning = isWatch }: DeadlineOptions): Filter =>
  (next) =>
  (request) => {
    if (isLongRunning(request.info)) return next(request);
    request.cancellation.limit(clock, timeoutOf(request, requestTimeoutMs), exceeded);
    return limited(request, next);
  };

function limited(request: ApiRequest, next: Handler): HandlerResult {
  const { cancellation } = request;
  const result = runCatching<ApiResponse>(() => next(request), {
    onError: (error) => {
      cancellation.release();
      // After the deadline every failure is a timeout.
      throw cancellation.reason ?? error;
    },
  });
  return andThen(result, (response) => {
    // A forwarded response is complete when its last byte was sent; the deadline applies until then.
    if (response.kind !== 'proxied' || request.context === undefined) cancellation.release();
    else onRequestEnd(request, () => cancellation.release());
    return response;
  });
}

function timeoutOf({ query }: ApiRequest, maxMs: number): number {
  if (query.size === 0) return maxMs;
  const requested = timeoutParameterMs(query) ?? 0;
  return requested <= 0 || requested > maxMs ? maxMs : requested;
}
