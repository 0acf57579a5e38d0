import type { Clock } from '@tributary/storage';

export interface FairQueueOptions {
  readonly clock: Clock;
  /** This many at once; 0 means that there is no bound. */
  readonly limit: number;
  /** This many wait, of all users together and of each; beyond it they are turned away at once. */
  readonly waitingMax: number;
  readonly waitingPerUserMax: number;
  /** Who waits longer is turned away. */
  readonly waitMsMax: number;
}

interface Waiter {
  readonly user: string;
  /** Called once: with a place, or without. */
  settle(hasPlace: boolean): void;
}

/**
 * A number of places, and a queue for each user in front of them. Places that become free go round the users who wait,
 * so one who sends a thousand requests at once delays nobody else by more than a place.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  /** In the order in which users get their next place; a user is here while one of its requests waits. */
  readonly #queues = new Map<string, Waiter[]>();
  #taken = 0;
  #waiting = 0;
  #takenPeak = 0;
  #waitingPeak = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /** A place without waiting, if there is one. */
  tryTake(): boolean {
    const { limit } = this.#options;
    if (limit > 0 && this.#taken >= limit) return false;
    this.#taken += 1;
    if (this.#taken > this.#takenPeak) this.#takenPeak = this.#taken;
    return true;
  }

  /** Whether a place was got; `cancelled` ends the waiting. Every place is given back by `release`. */
  take(user: string, cancelled: AbortSignal): Promise<boolean> | boolean {
    if (this.tryTake()) return true;
    const { waitingMax, waitingPerUserMax } = this.#options;
    if (this.#waiting >= waitingMax || cancelled.aborted) return false;
    const queue = this.#queues.get(user) ?? [];
    if (queue.length >= waitingPerUserMax) return false;
    return this.#wait(user, queue, cancelled);
  }

  release(): void {
    const next = this.#next();
    if (next === undefined) this.#taken -= 1;
    else next.settle(true);
  }

  /** The most at any moment since the last time this was asked. */
  peaks(): { taken: number; waiting: number } {
    const peaks = { taken: this.#takenPeak, waiting: this.#waitingPeak };
    this.#takenPeak = this.#taken;
    this.#waitingPeak = this.#waiting;
    return peaks;
  }

  #wait(user: string, queue: Waiter[], cancelled: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const leave = () => {
        this.#remove(waiter);
        waiter.settle(false);
      };
      const cancelTimer = this.#options.clock.schedule(this.#options.waitMsMax, leave);
      const waiter: Waiter = {
        user,
        settle(hasPlace) {
          cancelTimer();
          cancelled.removeEventListener('abort', leave);
          resolve(hasPlace);
        },
      };
      cancelled.addEventListener('abort', leave);
      queue.push(waiter);
      this.#queues.set(user, queue);
      this.#waiting += 1;
      if (this.#waiting > this.#waitingPeak) this.#waitingPeak = this.#waiting;
    });
  }

  /** The first of the user whose turn it is; that user then stands behind the others. */
  #next(): Waiter | undefined {
    const [first] = this.#queues;
    if (first === undefined) return undefined;
    const [user, queue] = first;
    const waiter = queue.shift();
    this.#queues.delete(user);
    if (queue.length > 0) this.#queues.set(user, queue);
    this.#waiting -= 1;
    return waiter;
  }

  #remove(waiter: Waiter): void {
    const queue = this.#queues.get(waiter.user);
    const at = queue?.indexOf(waiter) ?? -1;
    if (queue === undefined || at === -1) return;
    queue.splice(at, 1);
    if (queue.length === 0) this.#queues.delete(waiter.user);
    this.#waiting -= 1;
  }
}
