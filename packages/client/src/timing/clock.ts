/** Time as a client needs it; tests pass a virtual clock. */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Runs once after about `delayMs` and returns its cancellation. */
  schedule(delayMs: number, run: () => void): () => void;
}

/** Longer delays overflow Node's timers and fire at once. */
const DELAY_MS_MAX = 2 ** 31 - 1;

/** Its timers keep the process alive: a client that waits to reconnect has no other handle. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  schedule(delayMs, run) {
    const timer = setTimeout(run, Math.min(Math.max(delayMs, 0), DELAY_MS_MAX));
    return () => clearTimeout(timer);
  },
};

/** Its timers do not keep the process alive: maintenance of idle connections is no reason to. */
export const maintenanceClock: Clock = {
  nowMs: () => Date.now(),
  schedule(delayMs, run) {
    const timer = setTimeout(run, Math.min(Math.max(delayMs, 0), DELAY_MS_MAX)).unref();
    return () => clearTimeout(timer);
  },
};

/** Rejects with the signal's reason when it fires first. */
export async function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const cancel = clock.schedule(delayMs, resolve);
  const abort = (): void => reject(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    await promise;
  } finally {
    cancel();
    signal?.removeEventListener('abort', abort);
  }
}
