import type { ChangeEvent, Clock, FeedBatch, Revision, Storage } from '@tributary/storage';
import { decodeStored, type ObjectContext } from './cached-object.ts';
import { ChangeRecord } from './change-record.ts';
import { orAborted } from './event-loop.ts';
import type { Selection } from './selection.ts';

export interface ReplayedChanges {
  readonly records: readonly ChangeRecord[];
  readonly progress: Revision;
}

/**
 * Replays changes older than the caches' history from the storage engine. A replay reads the changes of the whole
 * store, so only a few run at a time; others wait for their turn.
 */
export class HistoryReplay {
  readonly #storage: Pick<Storage, 'feed'>;
  readonly #clock: Clock;
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(storage: Pick<Storage, 'feed'>, clock: Clock, replaysMax: number) {
    this.#storage = storage;
    this.#clock = clock;
    this.#free = replaysMax;
  }

  /** Ends as soon as it has reached `until`. Fails with `Compacted` when the engine has compacted the start. */
  async *changes(
    context: ObjectContext,
    after: Revision,
    options: { selection: Selection; until: () => Revision; signal: AbortSignal },
  ): AsyncGenerator<ReplayedChanges, undefined> {
    const { selection, until, signal } = options;
    const batches = this.#storage.feed(after, { signal })[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await this.#read(batches, signal);
        if (next.done) return undefined;
        const { progress } = next.value;
        yield { records: this.#records(context, next.value, selection), progress };
        if (progress >= until()) return undefined;
      }
    } finally {
      await batches.return?.();
    }
  }

  /** Only reading takes a turn, so a slow consumer does not delay other replays. */
  async #read(
    batches: AsyncIterator<FeedBatch>,
    signal: AbortSignal,
  ): Promise<IteratorResult<FeedBatch>> {
    await this.#acquire(signal);
    try {
      return await batches.next();
    } finally {
      this.#release();
    }
  }

  #records(context: ObjectContext, { events }: FeedBatch, selection: Selection): ChangeRecord[] {
    return events
      .filter(({ key }) => selection.covers(key))
      .map((event) => this.#record(context, event));
  }

  #record(context: ObjectContext, event: ChangeEvent): ChangeRecord {
    const { previous, revision } = event;
    return new ChangeRecord({
      revision,
      atMs: this.#clock.nowMs(),
      previous: previous && decodeStored(context, previous),
      current: event.kind === 'put' ? decodeStored(context, event) : undefined,
    });
  }

  async #acquire(signal: AbortSignal): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    try {
      await orAborted(promise, signal);
    } catch (error) {
      const at = this.#waiting.indexOf(resolve);
      // A waiter that was removed already got its turn just as the signal fired: pass the turn on.
      if (at === -1) this.#release();
      else this.#waiting.splice(at, 1);
      throw error;
    }
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
