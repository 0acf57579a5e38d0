import { tooManyRequests } from '@tributary/apimachinery';
import type { Clock } from '@tributary/storage';
import type { AccessRequest } from '../request/authorizer.ts';
import { isWatch, type LongRunningCheck } from '../request/long-running.ts';
import { rethrow, runCatching } from '../request/maybe-promise.ts';
import type {
  ApiRequest,
  ApiResponse,
  Filter,
  Handler,
  HandlerResult,
  HeaderList,
} from '../request/pipeline.ts';
import { holdSeat } from '../request/request-context.ts';
import type { Maxima, RequestMaxima } from './request-maxima.ts';

/** Decides by flow schema which requests are executed, queued or rejected. */
export interface FlowControl {
  /** Called for every request, so it must be fast. */
  classify(request: Pick<AccessRequest, 'user' | 'info'>): Flow;
}

/** Requests of one flow share queues. */
export interface Flow {
  /** Headers of every response, including rejections. */
  readonly headers: HeaderList;
  /**
   * Takes the request's width in seats without waiting, when they are free and nothing waits for them. Default: one.
   */
  tryTake(width?: number): Seat | undefined;
  /** Resolves with a seat, or undefined when the wait ended without one. */
  wait(limit: WaitLimit): Promise<Seat | undefined> | undefined;
  /** The `Retry-After` of a rejected request. */
  retryAfterSeconds(): number;
}

export interface WaitLimit {
  readonly waitMsMax: number;
  /** The number of seats. Default: one. */
  readonly width?: number;
  /** Aborted when the client disconnects or the deadline passes. */
  readonly cancelled: AbortSignal;
}

/** Released once. */
export interface Seat {
  release(): void;
}

interface FlowControlFilterOptions {
  readonly control: FlowControl;
  readonly peaks: RequestMaxima;
  readonly clock: Clock;
  readonly isLongRunning: LongRunningCheck;
  /** Default: one seat for every request. */
  readonly estimate?: ((request: ApiRequest) => number) | undefined;
}

/** For requests without a deadline, which are watches. */
const WAIT_MS_DEFAULT = 15_000;
const WAIT_MS_MAX = 60_000;

/** Gives every request a seat of its flow. A watch holds it until it is open, and so does a forwarded request. */
export const withFlowControl =
  (options: FlowControlFilterOptions): Filter =>
  (next) =>
  (request) => {
    const { info, context } = request;
    if (!isWatch(info) && options.isLongRunning(info)) return next(request);
    const flow = options.control.classify(request);
    if (context !== undefined) context.responseHeaders = flow.headers;
    const peaks = options.peaks.of(info.verb);
    const width = options.estimate?.(request) ?? 1;
    const seat = flow.tryTake(width);
    if (seat !== undefined) return served(request, next, seat, peaks);
    return waitForSeat(request, next, { flow, width, peaks, clock: options.clock });
  };

async function waitForSeat(
  request: ApiRequest,
  next: Handler,
  { flow, width, peaks, clock }: { flow: Flow; width: number; peaks: Maxima; clock: Clock },
): Promise<ApiResponse> {
  const { cancellation, context } = request;
  const startMs = performance.now();
  const waitMsMax = waitLimit(cancellation.deadlineMs, context?.receivedMs ?? clock.nowMs());
  const waiting = flow.wait({ waitMsMax, width, cancelled: cancellation.signal });
  let seat: Seat | undefined;
  if (waiting !== undefined) {
    peaks.waiting.add(1);
    seat = await waiting;
    peaks.waiting.add(-1);
  }
  if (context !== undefined) context.waitedMs += performance.now() - startMs;
  if (seat !== undefined) return served(request, next, seat, peaks);
  throw (
    cancellation.reason ??
    tooManyRequests('Too many requests, please try again later.', flow.retryAfterSeconds())
  );
}

function served(request: ApiRequest, next: Handler, seat: Seat, peaks: Maxima): HandlerResult {
  peaks.served.add(1);
  const freeSeat = holdSeat(request, () => seat.release());
  return runCatching(() => next(request), {
    onError: rethrow,
    onEnd: () => {
      peaks.served.add(-1);
      freeSeat();
    },
  });
}

/** A quarter of a request's time, so that the rest suffices to serve it; as upstream. */
function waitLimit(deadlineMs: number | undefined, receivedMs: number): number {
  if (deadlineMs === undefined) return WAIT_MS_DEFAULT;
  return Math.min(Math.max(deadlineMs - receivedMs, 0) / 4, WAIT_MS_MAX);
}
