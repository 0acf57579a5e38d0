import { setImmediate as immediate } from 'node:timers/promises';

/** The time after which a scan or a batch of changes yields to the event loop. */
const TURN_MS = 5;

/** Divides a stretch of synchronous work, so that other work runs between its steps. */
export class Turn {
  readonly #nowMs: () => number;
  #startMs: number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
    this.#startMs = nowMs();
  }

  get isOver(): boolean {
    return this.#nowMs() - this.#startMs > TURN_MS;
  }

  async next(): Promise<void> {
    await immediate();
    this.#startMs = this.#nowMs();
  }
}

/**
 * A turn shared by many tasks: when a thousand watches resume at once, each has little to do and all together have
 * much. It ends with the current round of the event loop; tasks that find it used up continue one per round.
 */
export class SharedTurn {
  readonly #nowMs: (() => number) | undefined;
  #turn: Turn | undefined;
  #line: Promise<void> = Promise.resolve();

  constructor(nowMs?: () => number) {
    this.#nowMs = nowMs;
  }

  get isOver(): boolean {
    this.#turn ??= this.#begin();
    return this.#turn.isOver;
  }

  next(): Promise<void> {
    this.#line = this.#line.then(() => immediate());
    return this.#line;
  }

  #begin(): Turn {
    setImmediate(() => {
      this.#turn = undefined;
    });
    return new Turn(this.#nowMs);
  }
}

/**
 * The promise, or a rejection with the signal's reason when that fires first. Other callers that await the promise are
 * not affected.
 */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason);
  const { promise: first, resolve, reject } = Promise.withResolvers<T>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort);
  const removeListener = () => signal.removeEventListener('abort', abort);
  promise.then(
    (value) => {
      removeListener();
      resolve(value);
    },
    (error) => {
      removeListener();
      reject(error);
    },
  );
  return first;
}
