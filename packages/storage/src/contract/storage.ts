import type { StorageUnreadable } from './errors.ts';
import type { Revision } from './revision.ts';

/** One key's value as of the commit that wrote it. The bytes are shared and must not be changed. */
export interface Stored {
  readonly key: string;
  readonly value: Uint8Array;
  /** The commit that wrote this value. */
  readonly revision: Revision;
  /**
   * The value is stored in an outdated form, for example with an old encryption key: the next write must happen even
   * when it would change nothing.
   */
  readonly stale?: boolean;
  /**
   * The value exists and cannot be read, for example because it is damaged. Reading `value` throws this error. Lists,
   * feeds and conflicts contain such a value with its key and revision, by which it can be deleted; `get` rejects with
   * the error. It is never omitted: that would look like a deletion.
   */
  readonly unreadable?: StorageUnreadable;
}

export interface KeyRevision {
  readonly key: string;
  /** The key's current revision, or `ABSENT`. */
  readonly revision: Revision;
}

export type Write =
  | {
      readonly kind: 'put';
      readonly key: string;
      readonly value: Uint8Array;
      /** The store deletes the key this long after the commit, never earlier. Without it the key does not expire. */
      readonly ttlSeconds?: number;
    }
  | { readonly kind: 'delete'; readonly key: string };

/** Every engine accepts this many in one transaction: etcd allows 128 comparisons, two for a delete. */
export const CHANGE_KEYS_MAX = 64;

export interface Change {
  /** Conditions for all of the writes, on written and other keys. */
  readonly require: readonly KeyRevision[];
  /**
   * At least one, at most one per key; anything else rejects with a `TypeError`, as do more than `CHANGE_KEYS_MAX`
   * writes or requirements. A delete of a missing key is a conflict.
   */
  readonly writes: readonly Write[];
}

/** A conflict is an expected result: the caller decides between a retry and a 409. */
export type CommitResult =
  | { readonly outcome: 'written'; readonly revision: Revision }
  | {
      readonly outcome: 'conflict';
      /** The first requirement or delete that did not hold, with the current value. */
      readonly key: string;
      readonly current: Stored | undefined;
    };

export interface ReadOptions {
  readonly signal?: AbortSignal;
}

export interface ListOptions extends ReadOptions {
  /** The maximum number of items; without it all of them. */
  readonly limit?: number;
  /** Continue after this key (exclusive). */
  readonly after?: string;
  /** Read the store at this revision; without it at the current one. */
  readonly revision?: Revision;
}

export interface Page {
  /** The revision of the page: the requested one, or the store's at the time of the read. */
  readonly revision: Revision;
  /** In bytewise order of their keys. */
  readonly items: readonly Stored[];
  /** The number of keys with the prefix after the last item, at that revision. */
  readonly remaining: number;
}

/** One key's change in a feed. */
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
  /** Ends the iteration without an error, also while it waits. */
  readonly signal: AbortSignal;
}

export interface StorageStats {
  readonly revision: Revision;
  readonly compacted: Revision;
  readonly keys: number;
  /** Bytes of the current values. */
  readonly valueBytes: number;
}

/**
 * The contract of a storage engine, which the contract suite (`storageContract`) tests line by line.
 *
 * Keys are non-empty well-formed strings without U+0000 (others reject with a `TypeError` when written); their order
 * everywhere is that of their UTF-8 bytes. A prefix is any well-formed string, including the empty one. A change without
 * effect, the same bytes again, is a commit like others. Every method rejects with `StorageClosed` once the store is
 * closed, and with the signal's reason when its signal fires first. An outage rejects with `StorageUnavailable`: the
 * outcome of a commit under way is then unknown.
 */
export interface Storage {
  /** Linearizable: sees every commit acknowledged before the call. */
  get(key: string, options?: ReadOptions): Promise<Stored | undefined>;

  /**
   * All keys with a prefix at one revision. Without `revision` it is linearizable. Throws `Compacted` when that
   * revision is compacted, `FutureRevision` when it is above the current one.
   */
  list(prefix: string, options?: ListOptions): Promise<Page>;

  /** The current number of keys with a prefix. */
  count(prefix: string, options?: ReadOptions): Promise<number>;

  /**
   * All writes or none, at one revision; durable before it resolves. Requirements are evaluated
   * with the writes, with no other commit in between.
   */
  commit(change: Change): Promise<CommitResult>;

  /**
   * Every change after a revision, in order, exactly once, first from history, then live. Throws `Compacted` when
   * changes after it are compacted, also later when compaction overtakes a slow consumer. A revision above the current
   * one is silent until the store passes it. Once `currentRevision()` has returned R, a batch whose progress is at
   * least R arrives without any further commit. A consumer that does not read makes nothing grow without bound. Throws
   * `StorageClosed` when the store is closed, and `StorageUnavailable` when it cannot continue.
   */
  feed(after: Revision, options: FeedOptions): AsyncIterable<FeedBatch>;

  /** Linearizable; concurrent callers may share one result that is fresh for each of them. */
  currentRevision(options?: ReadOptions): Promise<Revision>;

  /**
   * `currentRevision` without waiting, from an engine through which all writes go. Undefined when it is unknown, for
   * example because the store is closed. Optional: callers need a fallback.
   */
  acknowledgedRevision?(): Revision | undefined;

  /**
   * The oldest revision that can still be read, without waiting, from an engine that alone compacts its store.
   * Undefined when it is unknown. Optional: callers need a fallback.
   */
  compactedRevision?(): Revision | undefined;

  /**
   * Compacts history: afterwards reads at a revision below `revision`, and feeds after one, throw `Compacted`. Reads at
   * exactly `revision`, and feeds after it, still work. Beyond the current revision it throws `FutureRevision`;
   * compacting to an earlier revision than before changes nothing.
   */
  compact(revision: Revision, options?: ReadOptions): Promise<void>;

  stats(options?: ReadOptions): Promise<StorageStats>;

  /**
   * Rejects with `StorageUnavailable` and the reason while nothing can be written, for example because the disk is full
   * or read-only. For health checks; it changes nothing. Optional.
   */
  checkWritable?(options?: ReadOptions): Promise<void>;

  /**
   * Resolves with the reason when this store can never serve again in this process, for example because its thread
   * died. The program ends then, for its supervisor to restart it. Never rejects, and is not resolved by `close`.
   * Optional: an engine that reconnects does not have it.
   */
  whenFailed?(): Promise<Error>;

  /** Waits for commits under way, then releases all resources. Closing twice is harmless. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
