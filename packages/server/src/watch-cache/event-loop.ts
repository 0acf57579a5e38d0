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
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason);
  const { promise: first, resolve, reject } = Promise.withResolvers<T>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort);
  const settle = () => signal.removeEventListener('abort', abort);
  promise.then(
    (value) => {
      settle();
      resolve(value);
    },
    (error) => {
      settle();
      reject(error);
    },
  );
  return first;
}
