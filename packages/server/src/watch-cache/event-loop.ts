import { setImmediate } from 'node:timers/promises';

/** Longer than this nobody waits for a scan or a batch of changes. */
const TURN_MS = 5;

/** A stretch of synchronous work in pieces, between which everybody else has a turn. */
export class Turn {
  #startMs = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#startMs > TURN_MS;
  }

  async next(): Promise<void> {
    await setImmediate();
    this.#startMs = performance.now();
  }
}

/** The promise, or the signal's reason when that fires first. Who else waits for it is not disturbed. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
