import { randomUUID } from 'node:crypto';
import { stringifyJson } from '@tributary/apimachinery';
import type {
  FinishedRequest,
  RequestMetrics,
  WatchSeries,
} from '../operations/metrics/request-metrics.ts';
import { ClientDisconnected } from '../request/connection-errors.ts';
import { andThen } from '../request/maybe-promise.ts';
import type { ApiRequest, ApiResponse, Filter, RequestContext } from '../request/pipeline.ts';
import { type MutableRequest, newContext } from '../request/request-context.ts';
import { observeChunks } from './observe-chunks.ts';

export interface ObservationOptions {
  readonly nowMs: () => number;
  readonly metrics: RequestMetrics;
  /** Logs requests; absent without such a log. */
  readonly logAccess?: (request: ApiRequest, finished: FinishedRequest) => void;
}

const LINE_BREAK = 10;

/** The outermost filter: assigns the audit ID, and reports the outcome of every request. */
export function withObservation(options: ObservationOptions): Filter {
  const finish = (request: ApiRequest, context: RequestContext, code: number, bytes: number) => {
    for (const run of context.endListeners ?? []) run();
    const finished: FinishedRequest = {
      code,
      bytes,
      tookMs: options.nowMs() - context.receivedMs,
      waitedMs: context.waitedMs,
      wasAborted: request.cancellation.reason instanceof ClientDisconnected,
    };
    options.metrics.finished(request, finished);
    options.logAccess?.(request, finished);
  };

  const observe = (
    request: ApiRequest,
    context: RequestContext,
    response: ApiResponse,
  ): ApiResponse => {
    switch (response.kind) {
      case 'object':
      case 'bytes':
        finish(request, context, response.code, bytesOf(response));
        return response;
      case 'stream':
        return observeStream(request, response, options.metrics.watch(request), (bytes) =>
          finish(request, context, 200, bytes),
        );
      case 'proxied':
        return observeProxied(request, response, (bytes) =>
          finish(request, context, response.code, bytes),
        );
      case 'upgrade':
        return {
          ...response,
          connect: (socket) =>
            response.connect(socket).finally(() => finish(request, context, 101, 0)),
        };
      default:
        return response satisfies never;
    }
  };

  return (next) => (request) => {
    const context = newContext(auditIdOf(request), options.nowMs());
    (request as MutableRequest).context = context;
    return andThen(next(request), (response) => observe(request, context, response));
  };
}

/** The client's own ID, so that a request can be followed across servers; any text is accepted. */
function auditIdOf({ headers }: ApiRequest): string {
  return headers.get('audit-id') || randomUUID();
}

function bytesOf(response: ApiResponse & { kind: 'object' | 'bytes' }): number {
  if (response.kind === 'object') return stringifyJson(response.object).length;
  let bytes = 0;
  for (const chunk of response.chunks) bytes += chunk.length;
  return bytes;
}

function observeProxied(
  { cancellation }: ApiRequest,
  response: ApiResponse & { kind: 'proxied' },
  onEnd: (bytes: number) => void,
): ApiResponse {
  let total = 0;
  let isOpen = true;
  const end = () => {
    if (isOpen) onEnd(total);
    isOpen = false;
  };
  cancellation.signal.addEventListener('abort', end, { once: true });
  const chunks = observeChunks(response.chunks, {
    onChunk: (chunk) => {
      total += chunk.length;
    },
    onEnd: end,
  });
  return { ...response, chunks };
}

function observeStream(
  { cancellation }: ApiRequest,
  response: ApiResponse & { kind: 'stream' },
  { longRunning, events, sizes }: WatchSeries,
  onEnd: (bytes: number) => void,
): ApiResponse {
  let total = 0;
  let isOpen = true;
  longRunning.add(1);
  const end = () => {
    if (!isOpen) return;
    isOpen = false;
    longRunning.add(-1);
    onEnd(total);
  };
  // A client that disconnects before the first chunk ends a stream that was never iterated.
  cancellation.signal.addEventListener('abort', end, { once: true });
  const chunks = observeChunks(response.chunks, {
    // Every event is a line, and a chunk has whole lines.
    onChunk(chunk) {
      total += chunk.length;
      for (let start = 0; start < chunk.length; ) {
        const end = chunk.indexOf(LINE_BREAK, start);
        const next = end === -1 ? chunk.length : end + 1;
        events.add();
        sizes.observe(next - start);
        start = next;
      }
    },
    onEnd: end,
  });
  return { ...response, chunks };
}
