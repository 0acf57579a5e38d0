import { StatusError } from '@tributary/apimachinery';
import { sleep, TransportError } from '@tributary/client';
import type { Clock } from '@tributary/storage';

/** As upstream's webhooks: five attempts within about four seconds. */
const TRIES_MAX = 5;
const PAUSE_MS = 500;
const FACTOR = 1.5;
const JITTER = 0.2;
/** A longer `Retry-After` is ignored, because a request waits for the retry. */
const RETRY_AFTER_MS_MAX = 5000;

const CONNECTION_LOST: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ERR_HTTP2_SESSION_ERROR',
  'ERR_HTTP2_STREAM_CANCEL',
  'ERR_HTTP2_GOAWAY_SESSION',
]);
const PASSING: ReadonlySet<string> = new Set(['InternalError', 'Timeout', 'TooManyRequests']);

interface RetryOptions {
  readonly clock: Clock;
  /** Between 0 and 1. */
  readonly random: () => number;
  readonly signal: AbortSignal | undefined;
}

/** Retries a call while its failure may be temporary; rejects with the last failure. */
export async function withWebhookRetries<Value>(
  call: () => Promise<Value>,
  options: RetryOptions,
): Promise<Value> {
  let pauseMs = PAUSE_MS;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (attempt === TRIES_MAX || !isPassing(error) || options.signal?.aborted === true) {
        throw error;
      }
      const jittered = pauseMs * (1 + options.random() * JITTER);
      await sleep(options.clock, Math.max(jittered, retryAfterMs(error)), options.signal);
      pauseMs *= FACTOR;
    }
  }
}

/** Connections that cannot be opened at all are not retried: the configuration is wrong, or the server is down. */
function isPassing(error: unknown): boolean {
  if (error instanceof TransportError) {
    return CONNECTION_LOST.has(error.code) || error.reusedConnection;
  }
  if (!(error instanceof StatusError)) return false;
  return PASSING.has(error.reason ?? '') || error.status.details?.retryAfterSeconds !== undefined;
}

function retryAfterMs(error: unknown): number {
  if (!(error instanceof StatusError)) return 0;
  const seconds = error.status.details?.retryAfterSeconds ?? 0;
  return Math.min(seconds * 1000, RETRY_AFTER_MS_MAX);
}
