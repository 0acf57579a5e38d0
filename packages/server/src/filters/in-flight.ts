import { tooManyRequests } from '@tributary/apimachinery';
import type { Clock } from '@tributary/storage';
import { isWatch, type LongRunningCheck } from '../request/long-running.ts';
import { rethrow, runCatching } from '../request/maybe-promise.ts';
import type {
  ApiRequest,
  ApiResponse,
  Filter,
  Handler,
  HandlerResult,
} from '../request/pipeline.ts';
import { holdSeat } from '../request/request-context.ts';
import { FairQueue } from './fair-queue.ts';

interface InFlightOptions {
  readonly clock: Clock;
  /** Maximum number of concurrent reads; 0 means no limit. */
  readonly requestsMax: number;
  /** Maximum number of concurrent writes; 0 means no limit. */
  readonly mutatingRequestsMax: number;
}

/** Per kind of request. A waiting request occupies its body and connection only. */
const WAITING_MAX = 1000;
const WAITING_PER_USER_MAX = 100;
/** A quarter of the usual request timeout, so that the rest suffices to serve the request. */
const WAIT_MS_MAX = 15_000;
const RETRY_AFTER_SECONDS = 1;

const READ_VERBS = new Set(['get', 'list', 'watch']);

interface InFlight {
  readonly readOnly: FairQueue;
  readonly mutating: FairQueue;
}

export function inFlightQueues(options: InFlightOptions): InFlight {
  const bounds = {
    clock: options.clock,
    waitingMax: WAITING_MAX,
    waitingPerUserMax: WAITING_PER_USER_MAX,
    waitMsMax: WAIT_MS_MAX,
  };
  return {
    readOnly: new FairQueue({ ...bounds, limit: options.requestsMax }),
    mutating: new FairQueue({ ...bounds, limit: options.mutatingRequestsMax }),
  };
}

/** Limits the requests in flight; further ones wait a while, fairly between users, and are then rejected. */
export const withInFlightLimit =
  ({ readOnly, mutating }: InFlight, isLongRunning: LongRunningCheck = isWatch): Filter =>
  (next) =>
  (request) => {
    if (isLongRunning(request.info)) return next(request);
    const queue = READ_VERBS.has(request.info.verb) ? readOnly : mutating;
    if (queue.tryTake()) return withPlace(request, next, queue);
    // As upstream, administrators can always reach an overloaded server to repair it.
    if (request.user.groups.includes('system:masters')) return next(request);
    return waitForPlace(request, next, queue);
  };

async function waitForPlace(
  request: ApiRequest,
  next: Handler,
  queue: FairQueue,
): Promise<ApiResponse> {
  const startMs = performance.now();
  const hasPlace = await queue.take(request.user.name, request.cancellation.signal);
  if (request.context !== undefined) request.context.waitedMs += performance.now() - startMs;
  if (!hasPlace) {
    throw (
      request.cancellation.reason ??
      tooManyRequests('Too many requests, please try again later.', RETRY_AFTER_SECONDS)
    );
  }
  return withPlace(request, next, queue);
}

function withPlace(request: ApiRequest, next: Handler, queue: FairQueue): HandlerResult {
  return runCatching(() => next(request), {
    onError: rethrow,
    onEnd: holdSeat(request, () => queue.release()),
  });
}
