import type { StorageUnreadable } from './errors.ts';
import type { Revision } from './revision.ts';

/** One key's value as of the commit that wrote it. The bytes are shared: nobody changes them. */
export interface Stored {
  readonly key: string;
  readonly value: Uint8Array;
  /** The commit that wrote this value. */
  readonly revision: Revision;
  /**
   * The value was kept in an outdated form, an old encryption key for example: the next write
   * must happen even when it would change nothing.
   */
  readonly stale?: boolean;
  /**
   * There, and cannot be read: it is damaged, for example. Reading `value` throws this error. Lists, feeds and conflicts have such
   * a value in its place, with its key and revision, by which it can be deleted; `get` rejects with the error. It is never left out:
   * that would look like a deletion.
   */
  readonly unreadable?: StorageUnreadable;
}

export interface KeyRevision {
  readonly key: string;
  /** The key's present revision, or `ABSENT`. */
  readonly revision: Revision;
}

export type Write =
  | {
      readonly kind: 'put';
      readonly key: string;
      readonly value: Uint8Array;
      /** The key is deleted by the store this long after the commit; never early. Absent: lives for ever. */
      readonly ttlSeconds?: number;
    }
  | { readonly kind: 'delete'; readonly key: string };

/** What every engine takes in one transaction: etcd allows 128 comparisons, two for a delete. */
export const CHANGE_KEYS_MAX = 64;

export interface Change {
  /** What must hold for any of the writes to happen, of keys written and of others. */
  readonly require: readonly KeyRevision[];
  /**
   * At least one, at most one per key; breaking that is a mistake and rejects with a `TypeError`,
   * as do more than `CHANGE_KEYS_MAX` writes or requirements. A delete of a key that does not
   * exist is a conflict.
   */
  readonly writes: readonly Write[];
}

/** Losing a race is an expected answer: the caller decides between a retry and a 409. */
export type CommitResult =
  | { readonly outcome: 'written'; readonly revision: Revision }
  | {
      readonly outcome: 'conflict';
      /** The first requirement or delete that did not hold, with what is there instead. */
      readonly key: string;
      readonly current: Stored | undefined;
    };

export interface ReadOptions {
  readonly signal?: AbortSignal;
}

export interface ListOptions extends ReadOptions {
  /** At most this many items; absent means all of them. */
  readonly limit?: number;
  /** Continue behind this key (exclusive). */
  readonly after?: string;
  /** Read the store as it was at this revision; absent means as it is now. */
  readonly revision?: Revision;
}

export interface Page {
  /** The revision at which the page is true: the asked one, or the store's at the time of reading. */
  readonly revision: Revision;
  /** In bytewise order of their keys. */
  readonly items: readonly Stored[];
  /** How many keys of the prefix stand behind the last item, at that revision. */
  readonly remaining: number;
}

/** One key's change as the feed tells it. */
export type ChangeEvent =
  | {
      readonly kind: 'put';
      readonly key: string;
      readonly revision: Revision;
      readonly value: Uint8Array;
      /** The value that was replaced; absent when the key was created. */
      readonly previous: Stored | undefined;
      /** As in `Stored`: reading `value` throws it. */
      readonly unreadable?: StorageUnreadable;
    }
  | {
      readonly kind: 'delete';
      readonly key: string;
      readonly revision: Revision;
      readonly previous: Stored;
    };

export interface FeedBatch {
  /**
   * In order of revision, and within a commit in the order of its writes; a commit is never split
   * over two batches. May be empty.
   */
  readonly events: readonly ChangeEvent[];
  /** Every change up to and including this revision has been delivered. Never less than before. */
  readonly progress: Revision;
}

export interface FeedOptions {
  /** Ends the iteration, without an error, also while it waits. */
  readonly signal: AbortSignal;
}

export interface StorageStats {
  readonly revision: Revision;
  readonly compacted: Revision;
  readonly keys: number;
  /** Bytes of the values that exist now. */
  readonly valueBytes: number;
}

/**
 * What an engine promises. The contract suite (`storageContract`) holds every engine to each line.
 *
 * Keys are non-empty well-formed strings without U+0000 (others reject with a `TypeError` when
 * written); their order everywhere is that of their UTF-8 bytes. A prefix is any well-formed string,
 * also the empty one. A change without effect, the same bytes again, is a commit like others. Every method
 * rejects with `StorageClosed` once the store is closed, and with the signal's reason when its
 * signal fires first. An outage rejects with `StorageUnavailable`: the outcome of a commit that
 * was under way is then unknown.
 */
export interface Storage {
  /** Linearizable: sees every commit acknowledged before the call. */
  get(key: string, options?: ReadOptions): Promise<Stored | undefined>;

  /**
   * Everything under a prefix at one revision. Without `revision` it is linearizable. Throws
   * `Compacted` when that revision is no longer kept, `FutureRevision` when it is not there yet.
   */
  list(prefix: string, options?: ListOptions): Promise<Page>;

  /** How many keys a prefix has now. */
  count(prefix: string, options?: ReadOptions): Promise<number>;

  /**
   * All writes or none, at one revision; durable before it resolves. Requirements are evaluated
   * with the writes, with no other commit in between.
   */
  commit(change: Change): Promise<CommitResult>;

  /**
   * Every change after a revision, in order, exactly once, first from history, then live. Throws
   * `Compacted` when changes after it are no longer kept, also later when a consumer is so slow
   * that compaction overtakes it. A revision not reached yet is silent until the store passes it.
   *
   * Once `currentRevision()` has answered R, a batch whose progress is at least R arrives without
   * any further commit. Nothing is read ahead without bound for a consumer that does not ask. It
   * throws `StorageClosed` when the store is closed, and `StorageUnavailable` when it cannot go on.
   */
  feed(after: Revision, options: FeedOptions): AsyncIterable<FeedBatch>;

  /** Linearizable; concurrent callers may share one answer that is fresh for each of them. */
  currentRevision(options?: ReadOptions): Promise<Revision>;

  /**
   * The same at once, from an engine through which alone everything is written and which therefore
   * knows. Undefined when it does not know now, for example because it is closed. Optional: readers
   * must be able to do without.
   */
  acknowledgedRevision?(): Revision | undefined;

  /**
   * The oldest revision that can still be read, at once: an engine that is compacted by itself alone knows it. Undefined when it does
   * not know now. Optional: readers must be able to do without.
   */
  compactedRevision?(): Revision | undefined;

  /**
   * Forgets history: afterwards reads at a revision below `revision`, and feeds after one, throw
   * `Compacted`. Reads at exactly `revision`, and feeds after it, still work. Beyond the current
   * revision it throws `FutureRevision`; compacting to an earlier one than before changes nothing.
   */
  compact(revision: Revision, options?: ReadOptions): Promise<void>;

  stats(options?: ReadOptions): Promise<StorageStats>;

  /**
   * Rejects with `StorageUnavailable` and the reason when nothing can be written now: the disk is full, or read-only. For health
   * checks; it changes nothing. Optional.
   */
  checkWritable?(options?: ReadOptions): Promise<void>;

  /**
   * Resolves with the reason when this store can never serve again in this process, for example because the thread that owns
   * it died. A program ends then, for its supervisor to start it anew. Never rejects, and is not settled by `close`. Optional:
   * an engine that reconnects has none.
   */
  whenFailed?(): Promise<Error>;

  /** Waits for commits under way, then releases everything. Closing twice is harmless. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
