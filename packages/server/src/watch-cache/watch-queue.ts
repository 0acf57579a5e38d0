import type { WatchCacheLimits } from './limits.ts';
import type { CacheEvent } from './types.ts';

type QueueLimits = Pick<WatchCacheLimits, 'queueEventsMax' | 'queueBytesMax'>;

export type EventBatch = readonly CacheEvent[];
export type NextBatch = IteratorResult<EventBatch, undefined>;

const DONE: NextBatch = Object.freeze({ done: true, value: undefined });

interface Consumer {
  readonly resolve: (next: NextBatch) => void;
  readonly reject: (error: unknown) => void;
}

/** Queues with events whose consumers wait, until the batch of the feed is complete. */
export class Wakeups {
  #queues: WatchQueue[] = [];

  add(queue: WatchQueue): void {
    this.#queues.push(queue);
  }

  flush(): void {
    if (this.#queues.length === 0) return;
    const queues = this.#queues;
    this.#queues = [];
    for (const queue of queues) queue.wake();
  }
}

/**
 * The queue of one watcher, between the feed that must not wait and a consumer that may be slow. Each `next` takes all
 * queued events. Beyond either bound the queue is dropped, and `push` returns false.
 */
export class WatchQueue {
  readonly #limits: QueueLimits;
  readonly #wakeups: Wakeups;
  #events: CacheEvent[] = [];
  #bytes = 0;
  #consumer: Consumer | undefined;
  #end: { readonly error?: unknown } | undefined;

  constructor(limits: QueueLimits, wakeups: Wakeups) {
    this.#limits = limits;
    this.#wakeups = wakeups;
  }

  get isFull(): boolean {
    return this.#events.length >= this.#limits.queueEventsMax;
  }

  push(event: CacheEvent, bytes: number): boolean {
    if (this.#end !== undefined) return true;
    if (this.#consumer !== undefined && this.#events.length === 0) this.#wakeups.add(this);
    this.#events.push(event);
    this.#bytes += bytes;
    const { queueEventsMax, queueBytesMax } = this.#limits;
    if (this.#events.length <= queueEventsMax && this.#bytes <= queueBytesMax) return true;
    this.#events = [];
    return false;
  }

  /** Not done by each push, so that the events of one batch of the feed are delivered together. */
  wake(): void {
    const consumer = this.#consumer;
    if (consumer === undefined || (this.#events.length === 0 && this.#end === undefined)) return;
    this.#consumer = undefined;
    if (this.#events.length === 0 && this.#end && 'error' in this.#end) {
      consumer.reject(this.#end.error);
    } else {
      consumer.resolve(this.#take());
    }
  }

  /** Queued events are delivered first, then the end or the error. */
  end(outcome: { readonly error?: unknown } = {}): void {
    this.#end ??= outcome;
    this.wake();
  }

  next(): Promise<NextBatch> {
    if (this.#events.length > 0) return Promise.resolve(this.#take());
    const { promise, resolve, reject } = Promise.withResolvers<NextBatch>();
    this.#consumer = { resolve, reject };
    this.wake();
    return promise;
  }

  #take(): NextBatch {
    if (this.#events.length === 0) return DONE;
    const events = this.#events;
    this.#events = [];
    this.#bytes = 0;
    return { done: false, value: events };
  }
}
