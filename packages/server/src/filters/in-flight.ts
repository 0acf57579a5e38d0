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

export interface InFlightOptions {
  readonly clock: Clock;
  /** Reads at once; 0 means no bound. */
  readonly requestsMax: number;
  /** Writes at once; 0 means no bound. */
  readonly mutatingRequestsMax: number;
}

/** For each kind of request. Who waits holds its body and connection, no more. */
const WAITING_MAX = 1000;
const WAITING_PER_USER_MAX = 100;
/** A quarter of a request's usual time, so that what is left suffices to serve it. */
const WAIT_MS_MAX = 15_000;
const RETRY_AFTER_SECONDS = 1;

const READ_VERBS = new Set(['get', 'list', 'watch']);

export interface InFlight {
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

/** Bounds how many requests are served at once; more wait a while, in fair order, and are then turned away. */
export const withInFlightLimit =
  ({ readOnly, mutating }: InFlight, isLongRunning: LongRunningCheck = isWatch): Filter =>
  (next) =>
  (request) => {
    if (isLongRunning(request.info)) return next(request);
    const queue = READ_VERBS.has(request.info.verb) ? readOnly : mutating;
    if (queue.tryTake()) return withPlace(request, next, queue);
    // Whoever must repair an overloaded server is served by it, as upstream.
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
