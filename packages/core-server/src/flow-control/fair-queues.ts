/** A request in a queue. */
export interface Waiter {
  /** The number of seats that the request needs at once. */
  readonly width: number;
  /** Called once: with the queue that its seat time is charged to, or without a seat. */
  finish(queue: Queue | undefined): void;
}

/** Requests in order of arrival. */
export interface Queue {
  readonly waiters: Waiter[];
  /** The virtual time at which the next request starts; the queue with the smallest is dispatched first. */
  startTag: number;
  executing: number;
}

export interface QueuingOptions {
  readonly queues: number;
  readonly handSize: number;
  readonly queueLengthLimit: number;
}

/** The estimated duration of a request until it ends; upstream's value. */
const ESTIMATE_MS = 3;
/** Per level, over all queues; requests beyond it are rejected. */
const WAITING_MAX = 10_000;
/** With more queues than this, idle ones are deleted, and their charge with them. */
const IDLE_MAX = 1_024;

/**
 * Start-time fair queueing: a queue is charged for the seat time of its requests, and the next seat goes to the queue
 * that was charged least. An empty queue starts at the virtual time of the last dispatch, so that idle time earns no
 * credit.
 */
export class FairQueues {
  /** By number; created at first use, because a level may have ten million queues. */
  readonly #queues = new Map<number, Queue>();
  readonly #waitingQueues = new Set<Queue>();
  #virtualTime = 0;
  #size = 0;
  #lengthMax: number;

  constructor({ queueLengthLimit }: QueuingOptions) {
    this.#lengthMax = queueLengthLimit;
  }

  /** Waiting requests keep their places; new limits apply to new requests. */
  configure({ queueLengthLimit }: QueuingOptions): void {
    this.#lengthMax = queueLengthLimit;
  }

  get size(): number {
    return this.#size;
  }

  /**
   * Adds a request to the shortest queue of a hand. Returns a function that removes it, or undefined when the queue is
   * full.
   */
  enter(hand: readonly number[], waiter: Waiter): (() => boolean) | undefined {
    const queue = this.#shortest(hand);
    if (queue.waiters.length >= this.#lengthMax || this.#size >= WAITING_MAX) return undefined;
    if (queue.waiters.length === 0) {
      queue.startTag = Math.max(queue.startTag, this.#virtualTime);
      this.#waitingQueues.add(queue);
    }
    queue.waiters.push(waiter);
    this.#size += 1;
    return () => this.#leave(queue, waiter);
  }

  /** The number of seats that the next request needs; 1 without one. */
  get nextWidth(): number {
    return this.#nextQueue()?.waiters[0]?.width ?? 1;
  }

  #nextQueue(): Queue | undefined {
    let queue: Queue | undefined;
    for (const one of this.#waitingQueues) {
      if (queue === undefined || one.startTag < queue.startTag) queue = one;
    }
    return queue;
  }

  /** Removes the next request and charges its queue the estimate. */
  next(): { readonly waiter: Waiter; readonly queue: Queue } | undefined {
    const queue = this.#nextQueue();
    const waiter = queue?.waiters.shift();
    if (queue === undefined || waiter === undefined) return undefined;
    this.#size -= 1;
    this.#virtualTime = queue.startTag;
    queue.startTag += ESTIMATE_MS * waiter.width;
    queue.executing += 1;
    // Moved to the end, so that queues with equal start tags take turns.
    this.#waitingQueues.delete(queue);
    if (queue.waiters.length > 0) this.#waitingQueues.add(queue);
    return { waiter, queue };
  }

  /** Replaces the estimate by the actual duration, for each seat of the request. */
  charge(queue: Queue, tookMs: number, width: number): void {
    queue.executing -= 1;
    queue.startTag += (tookMs - ESTIMATE_MS) * width;
    if (this.#queues.size > IDLE_MAX) this.#deleteIdle();
  }

  #shortest(hand: readonly number[]): Queue {
    let best: Queue | undefined;
    for (const number of hand) {
      const queue = this.#queueOf(number);
      if (best === undefined || lengthOf(queue) < lengthOf(best)) best = queue;
    }
    return best ?? this.#queueOf(0);
  }

  #queueOf(number: number): Queue {
    let queue = this.#queues.get(number);
    if (queue === undefined) {
      queue = { waiters: [], startTag: this.#virtualTime, executing: 0 };
      this.#queues.set(number, queue);
    }
    return queue;
  }

  #leave(queue: Queue, waiter: Waiter): boolean {
    const at = queue.waiters.indexOf(waiter);
    if (at === -1) return false;
    queue.waiters.splice(at, 1);
    if (queue.waiters.length === 0) this.#waitingQueues.delete(queue);
    this.#size -= 1;
    return true;
  }

  #deleteIdle(): void {
    for (const [number, queue] of this.#queues) {
      if (lengthOf(queue) === 0) this.#queues.delete(number);
    }
  }
}

function lengthOf({ waiters, executing }: Queue): number {
  return waiters.length + executing;
}
