import type { Clock, Revision } from '@tributary/storage';

interface Waiter {
  readonly revision: Revision;
  readonly resolve: (reached: boolean) => void;
}

/** The revision that the feed has reached, and the callers that wait for a later one. */
export class Progress {
  readonly #clock: Clock;
  #revision = 0 as Revision;
  readonly #waiters = new Set<Waiter>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get revision(): Revision {
    return this.#revision;
  }

  advance(revision: Revision): void {
    this.#revision = revision;
    for (const waiter of this.#waiters) if (waiter.revision <= revision) waiter.resolve(true);
  }

  /** Whether the revision was reached in time; rejects with the signal's reason when that fires first. */
  async reached(
    revision: Revision,
    { waitMs, signal }: { waitMs?: number; signal: AbortSignal },
  ): Promise<boolean> {
    signal.throwIfAborted();
    if (this.#revision >= revision) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const waiter = { revision, resolve };
    this.#waiters.add(waiter);
    const stop = () => resolve(false);
    const cancel = waitMs === undefined ? undefined : this.#clock.schedule(waitMs, stop);
    signal.addEventListener('abort', stop);
    try {
      const reached = await promise;
      signal.throwIfAborted();
      return reached;
    } finally {
      this.#waiters.delete(waiter);
      cancel?.();
      signal.removeEventListener('abort', stop);
    }
  }
}
