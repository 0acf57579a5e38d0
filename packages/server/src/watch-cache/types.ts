import type { KubeObject } from '@tributary/apimachinery';
import type { Revision } from '@tributary/storage';

/** One object at one revision, as every reader sees it. Immutable and shared. */
export interface CachedObject {
  readonly key: string;
  readonly revision: Revision;
  /** JSON of the storage version with `metadata.resourceVersion` in it: the body of a GET. */
  readonly bytes: Uint8Array;
  readonly labels: Readonly<Record<string, string>>;
  /** The declared selectable fields, by path, including `metadata.name` and `metadata.namespace`. */
  readonly fields: Readonly<Record<string, string>>;
  /** Stored in an outdated form: a write must happen even when it would change nothing. See `Stored`. */
  readonly stale: boolean;
  /** The parsed object; parsed on demand and then cached as long as memory allows. Readers must not change it. */
  object(): KubeObject;
  /** A representation made from this object once and shared: a Table row, another version's bytes. */
  derived<T extends object>(representation: Representation<T>): T;
  /** The cached value of a representation, if there is one. */
  known<T extends object>(representation: Representation<T>): T | undefined;
  /** Caches a value that had to be computed asynchronously, as long as memory allows. */
  keep<T extends object>(representation: Representation<T>, value: T): void;
}

/** An object that can be sent in a response: its stored form, and its representations. */
export type Readable = Pick<CachedObject, 'bytes' | 'object' | 'derived'> &
  Partial<Pick<CachedObject, 'known' | 'keep'>>;

/** A way to derive a value from an object. Two representations are the same only if identical. */
export interface Representation<T extends object> {
  readonly make: (object: Readable) => T;
  /** The memory of a derived value. */
  readonly bytes: (value: T) => number;
}

/** The freshness that a read requires. */
export type Freshness =
  /** Any state that the cache has. */
  | { readonly kind: 'any' }
  /** Everything acknowledged before the call. */
  | { readonly kind: 'latest' }
  /** Waits, bounded, until the cache has reached a revision; then fails with `tooLargeResourceVersion`. */
  | { readonly kind: 'notOlderThan'; readonly revision: Revision };

export interface ReadWindow {
  /** Below the resource's prefix: `''` for everything, `'ns/'` for a namespace, `'ns/name'` for one object. */
  readonly path: string;
  /** Equality on a declared field, served from an index where the field has one. */
  readonly where?: { readonly field: string; readonly value: string };
  readonly matches?: (object: CachedObject) => boolean;
}

export interface ListRequest extends ReadWindow {
  readonly freshness: Freshness | { readonly kind: 'exact'; readonly revision: Revision };
  readonly limit?: number;
  /** The list continues after this path (exclusive), relative to the resource's prefix. */
  readonly after?: string;
  readonly signal: AbortSignal;
}

export interface CachedList {
  readonly revision: Revision;
  /**
   * The revision of the last change before the list: lists with the same one have the same objects. Absent for lists of
   * the engine.
   */
  readonly contentRevision?: Revision;
  readonly items: readonly CachedObject[];
  /** The path after which the next page starts; absent on the last page. */
  readonly next: string | undefined;
  /** The number of objects after this page; absent when a selector makes it unknown. */
  readonly remaining: number | undefined;
}

export type WatchStart =
  /** Exactly the changes after a revision; the stream fails with `Compacted` when the window is gone. */
  | { readonly kind: 'after'; readonly revision: Revision }
  /** The present objects first, as ADDED in key order, then every later change. */
  | { readonly kind: 'initial'; readonly freshness: Freshness }
  /** Only changes later than the call. */
  | { readonly kind: 'now'; readonly freshness: Freshness };

export interface WatchRequest extends ReadWindow {
  readonly start: WatchStart;
  /** Bookmarks about once a minute, one shortly before `deadline`, and one after the initial objects. */
  readonly bookmarks: boolean;
  /** When the caller will end the watch, in the clock's milliseconds; the last bookmark is due shortly before. */
  readonly deadline?: number;
  readonly signal: AbortSignal;
}

export type CacheEvent =
  | {
      readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
      /** For DELETED the last state, with the revision of the deletion (or of leaving the selector). */
      readonly object: CachedObject;
      /** For MODIFIED the state before; `left` makes the event for selections that the object has left. */
      readonly previous?: CachedObject | undefined;
      readonly left?: (() => CacheEvent | undefined) | undefined;
      /** The frame of this event in an encoding, made once and shared by every watcher. */
      frame<T extends Uint8Array>(framing: Framing<T>): T;
    }
  | {
      readonly type: 'BOOKMARK';
      readonly revision: Revision;
      /** Whether this bookmark ends the initial objects. */
      readonly initialEventsEnd: boolean;
    };

/** Encodes an event for the wire; identity decides sharing, as with `Representation`. */
export interface Framing<T extends Uint8Array> {
  readonly make: (type: 'ADDED' | 'MODIFIED' | 'DELETED', object: Readable) => T;
}

/** The result of a read that has to wait. */
export const WAIT: unique symbol = Symbol('wait');

/** The cache of one resource: all its objects, and its recent changes. */
export interface WatchCache {
  /** The number of cached objects: 0 until the cache is filled. */
  readonly objects: number;
  /** Their estimated memory, with indexes and recent changes. */
  readonly bytes: number;
  readonly watchers: number;
  /** The same as `get` without waiting: the object, or `undefined` for none. `WAIT` when only `get` can tell. */
  getNow(path: string, freshness: Freshness): CachedObject | typeof WAIT | undefined;
  /** One object by path below the prefix (`ns/name`, or `name` for cluster scope). */
  get(
    path: string,
    freshness: Freshness,
    options: { signal: AbortSignal },
  ): Promise<CachedObject | undefined>;
  list(request: ListRequest): Promise<CachedList>;
  /**
   * Resolves when a watch can be served. Called before the headers of a watch are sent, so that its failures are HTTP
   * errors and not events: 429 while the cache has no feed, no room, or too many watches.
   */
  ready(options: { signal: AbortSignal }): Promise<void>;
  /**
   * Batches of events in order. Ends when the signal fires, when the watcher fell behind its
   * bound, or when the cache restarts; fails with `Compacted` when the start is too old.
   */
  watch(request: WatchRequest): AsyncIterable<readonly CacheEvent[]>;
}

/** The definition of a cached resource. */
export interface CachedResource {
  /** Key prefix in the store, with the trailing slash. */
  readonly prefix: string;
  /**
   * Stored bytes begin with exactly these bytes, which end right after `"metadata":{`; the resourceVersion is inserted
   * there. Bytes that begin otherwise (an older version of the resource) are first passed to `upgrade`.
   */
  readonly head: Uint8Array;
  readonly upgrade?: (stored: Uint8Array) => Uint8Array;
  /** Bytes of other versions begin with one of these and are cached as they are; readers convert them. */
  readonly otherHeads?: readonly Uint8Array[];
  /** Prunes and defaults stored bytes; returns the same bytes when that changes nothing. */
  readonly pruneAndDefault?: (stored: Uint8Array) => Uint8Array;
  /** Selectable fields of an object beyond name and namespace. */
  readonly fieldsOf?: (object: KubeObject) => Readonly<Record<string, string>>;
  /** Fields with an index. */
  readonly indexed?: readonly string[];
}
