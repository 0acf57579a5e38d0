import { TransportError } from '../http/transport-error.ts';

/** The number of attempts of client-go. */
export const RETRIES_MAX = 10;
/** With a longer Retry-After the response is returned instead. */
export const RETRY_AFTER_SECONDS_MAX = 60;
/** After a lost connection no response says how long to wait; client-go takes a second. */
const CONNECTION_RETRY_MS = 1000;

const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
const CONNECTION_LOST: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ERR_HTTP2_SESSION_ERROR',
  'ERR_HTTP2_STREAM_CANCEL',
  'ERR_HTTP2_GOAWAY_SESSION',
  'ERR_HTTP2_INVALID_SESSION',
]);

/**
 * The delay before the same request is sent again, or undefined when it is not. A server that sends `Retry-After` with
 * a 429 has done nothing; with a 5xx it may have, so only idempotent requests are repeated.
 */
export function delayAfterResponse(
  method: string,
  response: { readonly status: number; readonly retryAfterSeconds: number | undefined },
): number | undefined {
  const { status, retryAfterSeconds } = response;
  if (retryAfterSeconds === undefined || retryAfterSeconds > RETRY_AFTER_SECONDS_MAX) {
    return undefined;
  }
  if (status !== 429 && !(status >= 500 && IDEMPOTENT.has(method))) return undefined;
  return retryAfterSeconds * 1000;
}

/** The same after a failure without a response. The caller decides about connections that were never made. */
export function delayAfterFailure(
  method: string,
  error: unknown,
  attempt: number,
): number | undefined {
  if (!(error instanceof TransportError)) return undefined;
  if (!CONNECTION_LOST.has(error.code) && !isRefusedStream(error)) return undefined;
  if (error.maybeProcessed && method !== 'GET') return undefined;
  // An idle connection that the server closed meanwhile is no sign of the server's health.
  return attempt === 1 && error.reusedConnection ? 0 : CONNECTION_RETRY_MS;
}

function isRefusedStream({ code, maybeProcessed }: TransportError): boolean {
  return code === 'ERR_HTTP2_STREAM_ERROR' && !maybeProcessed;
}
