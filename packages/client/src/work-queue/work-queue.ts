import { type Clock, systemClock } from '../timing/clock.ts';
import { controllerRateLimiter, type RateLimiter } from './rate-limiter.ts';

/**
 * Items that wait to be processed. An item that is added while it waits is in the queue once; one that is added while
 * it is processed comes again afterwards, and is never processed twice at the same time. So the queue holds no more
 * than the different items. Items are compared as a `Set` compares: use strings.
 */
export interface WorkQueue<K> {
  add(item: K): void;
  /** Adds later. Of several times for one item the earliest counts. */
  addAfter(item: K, delayMs: number): void;
  /** Adds after the delay of the rate limiter for an item that failed. */
  addRateLimited(item: K): void;
  /** The item succeeded: its next failure begins with a short delay again. */
  forget(item: K): void;
  failures(item: K): number;
  /** Waits for an item; undefined when the queue is closed and empty. Every item taken must be given to `done`. */
  next(signal?: AbortSignal): Promise<{ readonly item: K } | undefined>;
  done(item: K): void;
  /** The number of waiting items. */
  readonly size: number;
  /** Accepts no more items and drops delayed ones; waiting items can still be taken. Closing twice is harmless. */
  close(): void;
}

export interface WorkQueueOptions<K> {
  readonly clock?: Clock;
  readonly rateLimiter?: RateLimiter<K>;
}

export function createWorkQueue<K>(options: WorkQueueOptions<K> = {}): WorkQueue<K> {
  return new DeduplicatingQueue<K>(options);
}

export interface WorkersOptions<K> {
  readonly concurrency?: number;
  /** Passed to work under way, too. */
  readonly signal: AbortSignal;
  work(item: K, signal: AbortSignal): Promise<void>;
  /** Called for failures; the item is retried after a delay. */
  onError?(error: unknown, item: K): void;
}

/** Processes the items of a queue until the signal fires or the queue is closed and empty. */
export async function runWorkers<K>(
  queue: WorkQueue<K>,
  options: WorkersOptions<K>,
): Promise<void> {
  const { concurrency = 1, signal, work, onError } = options;
  const runOne = async (): Promise<void> => {
    for (;;) {
      const taken = await nextUnlessAborted(queue, signal);
      if (taken === undefined) return;
      const { item } = taken;
      try {
        await work(item, signal);
        queue.forget(item);
      } catch (error) {
        onError?.(error, item);
        queue.addRateLimited(item);
      } finally {
        queue.done(item);
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, runOne));
}

async function nextUnlessAborted<K>(
  queue: WorkQueue<K>,
  signal: AbortSignal,
): Promise<{ readonly item: K } | undefined> {
  if (signal.aborted) return undefined;
  try {
    return await queue.next(signal);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

class DeduplicatingQueue<K> implements WorkQueue<K> {
  readonly #clock: Clock;
  readonly #limiter: RateLimiter<K>;
  /** Waiting items; a Set keeps the order in which they were added. */
  readonly #waiting = new Set<K>();
  readonly #working = new Set<K>();
  /** Added again while they were processed. */
  readonly #again = new Set<K>();
  readonly #delayed = new Map<K, { readonly dueMs: number; cancel(): void }>();
  readonly #takers = new Set<(taken: { readonly item: K } | undefined) => void>();
  #closed = false;

  constructor(options: WorkQueueOptions<K>) {
    this.#clock = options.clock ?? systemClock;
    this.#limiter = options.rateLimiter ?? controllerRateLimiter<K>(this.#clock);
  }

  get size(): number {
    return this.#waiting.size;
  }

  add(item: K): void {
    if (this.#closed) return;
    if (this.#working.has(item)) this.#again.add(item);
    else this.#offer(item);
  }

  addAfter(item: K, delayMs: number): void {
    if (this.#closed) return;
    if (delayMs <= 0) {
      this.add(item);
      return;
    }
    const dueMs = this.#clock.nowMs() + delayMs;
    const before = this.#delayed.get(item);
    if (before !== undefined && before.dueMs <= dueMs) return;
    before?.cancel();
    const cancel = this.#clock.schedule(delayMs, () => {
      this.#delayed.delete(item);
      this.add(item);
    });
    this.#delayed.set(item, { dueMs, cancel });
  }

  addRateLimited(item: K): void {
    this.addAfter(item, this.#limiter.delayMs(item));
  }

  forget(item: K): void {
    this.#limiter.forget(item);
  }

  failures(item: K): number {
    return this.#limiter.failures(item);
  }

  async next(signal?: AbortSignal): Promise<{ readonly item: K } | undefined> {
    signal?.throwIfAborted();
    const waiting = this.#takeWaiting();
    if (waiting !== undefined || this.#closed) return waiting;
    const { promise, resolve, reject } = Promise.withResolvers<{ readonly item: K } | undefined>();
    const abort = (): void => {
      this.#takers.delete(resolve);
      reject(signal?.reason);
    };
    this.#takers.add(resolve);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  done(item: K): void {
    this.#working.delete(item);
    if (this.#again.delete(item)) this.#offer(item);
  }

  close(): void {
    this.#closed = true;
    for (const { cancel } of this.#delayed.values()) cancel();
    this.#delayed.clear();
    for (const give of this.#takers) give(undefined);
    this.#takers.clear();
  }

  /** To the worker that waits longest, or to the end of the queue. */
  #offer(item: K): void {
    this.#waiting.add(item);
    const [taker] = this.#takers;
    if (taker === undefined) return;
    this.#takers.delete(taker);
    taker(this.#takeWaiting());
  }

  #takeWaiting(): { readonly item: K } | undefined {
    const [first] = this.#waiting.entries();
    if (first === undefined) return undefined;
    const [item] = first;
    this.#waiting.delete(item);
    this.#working.add(item);
    return { item };
  }
}
