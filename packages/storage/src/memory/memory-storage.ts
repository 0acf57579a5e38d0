import { assertChange, findConflict } from '../contract/change.ts';
import { type Clock, systemClock } from '../contract/clock.ts';
import { Compacted, FutureRevision, StorageClosed } from '../contract/errors.ts';
import { assertPrefix } from '../contract/keys.ts';
import type { Revision } from '../contract/revision.ts';
import type {
  Change,
  ChangeEvent,
  CommitResult,
  FeedBatch,
  FeedOptions,
  ListOptions,
  Page,
  ReadOptions,
  Storage,
  StorageStats,
  Stored,
  Write,
} from '../contract/storage.ts';
import { EventLog } from './event-log.ts';
import { ExpiryQueue } from './expiry-queue.ts';
import { type PastValue, pastValues, valuesAt } from './past-revision.ts';
import { type KeyRange, SortedMap } from './sorted-map.ts';

export interface MemoryStorageOptions {
  readonly clock?: Clock;
  /** The revision of the empty store; earlier ones count as compacted. Default: 1. */
  readonly firstRevision?: Revision;
  /** The number of latest revisions that stay readable; older ones are compacted as new ones arrive. */
  readonly historyRevisionsMax?: number;
}

/** A store in the memory of this process, for tests. */
export function openMemoryStorage(options: MemoryStorageOptions = {}): Storage {
  return new MemoryStorage(options);
}

/** A batch of history has about this many events. */
const FEED_EVENTS_MAX = 1000;

class MemoryStorage implements Storage {
  readonly #clock: Clock;
  readonly #historyRevisionsMax: number;
  readonly #current = new SortedMap<Stored>();
  /** Changes after the compacted revision. */
  readonly #history = new EventLog();
  readonly #expiry = new ExpiryQueue();
  readonly #sleepers = new Set<() => void>();
  /** An empty store has a revision too: clients read 0 as "any". */
  #revision = 1 as Revision;
  #compacted = 0 as Revision;
  #valueBytes = 0;
  #cancelTimer: (() => void) | undefined;
  #closed = false;

  constructor(options: MemoryStorageOptions) {
    const { clock = systemClock, historyRevisionsMax = 100_000, firstRevision } = options;
    if (firstRevision !== undefined) {
      this.#revision = firstRevision;
      this.#compacted = firstRevision;
    }
    this.#clock = clock;
    this.#historyRevisionsMax = historyRevisionsMax;
  }

  async get(key: string, options?: ReadOptions): Promise<Stored | undefined> {
    this.#admit(options);
    return this.#current.get(key);
  }

  async list(prefix: string, options: ListOptions = {}): Promise<Page> {
    this.#admit(options);
    assertPrefix(prefix);
    const { limit = Number.POSITIVE_INFINITY, after, revision = this.#revision } = options;
    this.#assertReadable(revision);
    const range = { prefix, after };
    const held = pastValues(this.#history.after(revision), range);
    const items: Stored[] = [];
    for (const stored of valuesAt(this.#current.range(range), held)) {
      if (items.length >= limit) break;
      items.push(stored);
    }
    return { revision, items, remaining: this.#count(range, held) - items.length };
  }

  async count(prefix: string, options?: ReadOptions): Promise<number> {
    this.#admit(options);
    assertPrefix(prefix);
    return this.#current.count({ prefix });
  }

  async commit(change: Change): Promise<CommitResult> {
    this.#admit();
    assertChange(change);
    const conflict = findConflict(change, (key) => this.#current.get(key));
    if (conflict !== undefined) return conflict;
    return { outcome: 'written', revision: this.#apply(change.writes) };
  }

  /** Reads the log at its own pace: the log, not a buffer of its own, bounds a slow consumer. */
  async *feed(after: Revision, { signal }: FeedOptions): AsyncGenerator<FeedBatch> {
    let progress = after;
    let first = true;
    while (!signal.aborted) {
      if (this.#closed) throw new StorageClosed();
      if (progress < this.#compacted) throw new Compacted(progress, this.#compacted);
      if (this.#revision > progress || (first && this.#revision === progress)) {
        const events = this.#history.after(progress, FEED_EVENTS_MAX);
        progress = events.length < FEED_EVENTS_MAX ? this.#revision : lastRevision(events);
        first = false;
        yield { events, progress };
      } else {
        await this.#sleep(signal);
      }
    }
  }

  async currentRevision(options?: ReadOptions): Promise<Revision> {
    this.#admit(options);
    return this.#revision;
  }

  acknowledgedRevision(): Revision | undefined {
    return this.#closed ? undefined : this.#revision;
  }

  async compact(revision: Revision, options?: ReadOptions): Promise<void> {
    this.#admit(options);
    if (revision > this.#revision) throw new FutureRevision(revision, this.#revision);
    this.#forgetUpTo(revision);
  }

  compactedRevision(): Revision | undefined {
    return this.#closed ? undefined : this.#compacted;
  }

  async stats(options?: ReadOptions): Promise<StorageStats> {
    this.#admit(options);
    return {
      revision: this.#revision,
      compacted: this.#compacted,
      keys: this.#current.size,
      valueBytes: this.#valueBytes,
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelTimer?.();
    this.#wake();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #admit(options?: ReadOptions): void {
    if (this.#closed) throw new StorageClosed();
    options?.signal?.throwIfAborted();
  }

  #assertReadable(revision: Revision): void {
    if (revision > this.#revision) throw new FutureRevision(revision, this.#revision);
    if (revision < this.#compacted) throw new Compacted(revision, this.#compacted);
  }

  #count(range: KeyRange, held: readonly PastValue[]): number {
    let count = this.#current.count(range);
    for (const [key, stored] of held) {
      if (stored !== undefined) count += 1;
      if (this.#current.get(key) !== undefined) count -= 1;
    }
    return count;
  }

  #apply(writes: readonly Write[]): Revision {
    const revision = (this.#revision + 1) as Revision;
    this.#revision = revision;
    for (const write of writes) this.#history.append(this.#write(write, revision));
    const oldest = revision - this.#historyRevisionsMax;
    if (oldest > this.#compacted) this.#forgetUpTo(oldest as Revision);
    this.#wake();
    return revision;
  }

  #write(write: Write, revision: Revision): ChangeEvent {
    const { kind, key } = write;
    this.#expiry.delete(key);
    if (kind === 'delete') {
      const previous = this.#current.delete(key) as Stored;
      this.#valueBytes -= previous.value.byteLength;
      return { kind, key, revision, previous };
    }
    const { value, ttlSeconds } = write;
    const previous = this.#current.set(key, { key, value, revision });
    this.#valueBytes += value.byteLength - (previous?.value.byteLength ?? 0);
    if (ttlSeconds !== undefined) this.#expireAt(key, this.#clock.nowMs() + ttlSeconds * 1000);
    return { kind, key, revision, value, previous };
  }

  #expireAt(key: string, atMs: number): void {
    this.#expiry.set(key, atMs);
    if (this.#expiry.next()?.key === key) this.#armTimer();
  }

  #armTimer(): void {
    this.#cancelTimer?.();
    const next = this.#expiry.next();
    if (next === undefined || this.#closed) return;
    const delayMs = next.atMs - this.#clock.nowMs();
    this.#cancelTimer = this.#clock.schedule(delayMs, () => this.#expire());
  }

  #expire(): void {
    const now = this.#clock.nowMs();
    for (let next = this.#expiry.next(); next && next.atMs <= now; next = this.#expiry.next()) {
      this.#apply([{ kind: 'delete', key: next.key }]);
    }
    this.#armTimer();
  }

  #forgetUpTo(revision: Revision): void {
    if (revision <= this.#compacted) return;
    this.#compacted = revision;
    this.#history.removeUpTo(revision);
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#sleepers) wake();
  }

  /** Waits for a change or the signal. */
  async #sleep(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => resolve();
    this.#sleepers.add(wake);
    signal.addEventListener('abort', wake);
    try {
      await promise;
    } finally {
      this.#sleepers.delete(wake);
      signal.removeEventListener('abort', wake);
    }
  }
}

function lastRevision(events: readonly ChangeEvent[]): Revision {
  return events.at(-1)?.revision as Revision;
}
