/** Somebody who waits for a seat. */
export interface Waiter {
  /** How many seats it needs at once. */
  readonly width: number;
  /** Called once, with the queue that the time in the seat is charged to, or without a seat. */
  settle(queue: Queue | undefined): void;
}

/** Requests in the order in which they came. */
export interface Queue {
  readonly waiters: Waiter[];
  /** How much seat time it has had, on the common scale; who has had least is next. */
  startTag: number;
  executing: number;
}

export interface QueuingOptions {
  readonly queues: number;
  readonly handSize: number;
  readonly queueLengthLimit: number;
}

/** What a request is thought to take, until it is known: the estimate of upstream. */
const ESTIMATE_MS = 3;
/** Of a level, all queues together; beyond it requests are turned away. */
const WAITING_MAX = 10_000;
/** Queues that nobody uses are kept up to here, for what they have had. */
const IDLE_MAX = 1_024;

/**
 * Start-time fair queueing: a queue is charged for the time its requests spend in seats, and the next seat goes to
 * the one that was charged least. A queue that was empty begins at the charge of the one served last, so nobody saves up.
 */
export class FairQueues {
  /** By number; made when first used, because there may be ten million. */
  readonly #queues = new Map<number, Queue>();
  readonly #waitingQueues = new Set<Queue>();
  #virtualTime = 0;
  #size = 0;
  #lengthMax: number;

  constructor({ queueLengthLimit }: QueuingOptions) {
    this.#lengthMax = queueLengthLimit;
  }

  /** What waits stays where it is; new limits count for those who come. */
  configure({ queueLengthLimit }: QueuingOptions): void {
    this.#lengthMax = queueLengthLimit;
  }

  get size(): number {
    return this.#size;
  }

  /** Lets somebody wait in the shortest queue of a hand; answers how to leave, or nothing when it is full. */
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

  /** How many seats whoever is next needs; one where nothing waits. */
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

  /** Takes out who is next, and charges its queue the estimate. */
  next(): { readonly waiter: Waiter; readonly queue: Queue } | undefined {
    const queue = this.#nextQueue();
    const waiter = queue?.waiters.shift();
    if (queue === undefined || waiter === undefined) return undefined;
    this.#size -= 1;
    this.#virtualTime = queue.startTag;
    queue.startTag += ESTIMATE_MS * waiter.width;
    queue.executing += 1;
    // At the end again, so that queues with the same charge take turns.
    this.#waitingQueues.delete(queue);
    if (queue.waiters.length > 0) this.#waitingQueues.add(queue);
    return { waiter, queue };
  }

  /** What the request has really taken, for each of its seats. */
  charge(queue: Queue, tookMs: number, width: number): void {
    queue.executing -= 1;
    queue.startTag += (tookMs - ESTIMATE_MS) * width;
    if (this.#queues.size > IDLE_MAX) this.#forgetIdle();
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

  #forgetIdle(): void {
    for (const [number, queue] of this.#queues) {
      if (lengthOf(queue) === 0) this.#queues.delete(number);
    }
  }
}

function lengthOf({ waiters, executing }: Queue): number {
  return waiters.length + executing;
}
