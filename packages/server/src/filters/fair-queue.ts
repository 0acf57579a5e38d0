import type { Clock } from '@tributary/storage';

interface FairQueueOptions {
  readonly clock: Clock;
  /** Maximum number of places; 0 means no limit. */
  readonly limit: number;
  /** Maximum number of waiting requests, of all users together and of each; further ones are rejected at once. */
  readonly waitingMax: number;
  readonly waitingPerUserMax: number;
  /** A request that waits longer is rejected. */
  readonly waitMsMax: number;
}

interface Waiter {
  readonly user: string;
  /** Called once, with whether a place was granted. */
  resolve(hasPlace: boolean): void;
}

/**
 * A number of places, and a queue for each user in front of them. Free places go to the waiting users in turn, so one
 * user with a thousand concurrent requests delays no other user by more than a place.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  /** Users with waiting requests, in the order in which they get their next place. */
  readonly #queues = new Map<string, Waiter[]>();
  #taken = 0;
  #waiting = 0;
  #takenPeak = 0;
  #waitingPeak = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /** Takes a place without waiting, if one is free. */
  tryTake(): boolean {
    const { limit } = this.#options;
    if (limit > 0 && this.#taken >= limit) return false;
    this.#taken += 1;
    if (this.#taken > this.#takenPeak) this.#takenPeak = this.#taken;
    return true;
  }

  /** Whether a place was granted; `cancelled` ends the wait. Every place is returned by `release`. */
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
    else next.resolve(true);
  }

  /** The maxima since the last call. */
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
        waiter.resolve(false);
      };
      const cancelTimer = this.#options.clock.schedule(this.#options.waitMsMax, leave);
      const waiter: Waiter = {
        user,
        resolve(hasPlace) {
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

  /** The first request of the next user, who then moves behind the others. */
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
