import { setImmediate as immediate } from 'node:timers/promises';

/** Longer than this nobody waits for a scan or a batch of changes. */
const TURN_MS = 5;

/** A stretch of synchronous work in pieces, between which everybody else has a turn. */
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
 * A turn that many share: when a thousand watches resume at once, each has little to do and all
 * together have much. It ends with the present round of the event loop; who finds it used up before
 * waits in line, one round each.
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
