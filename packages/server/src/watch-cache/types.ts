import type { KubeObject } from '@tributary/apimachinery';
import type { Revision } from '@tributary/storage';

/** One object at one revision, as every reader sees it. Immutable and shared. */
export interface CachedObject {
  readonly key: string;
  readonly revision: Revision;
  /** JSON of the storage version with `metadata.resourceVersion` in it: what a GET answers. */
  readonly bytes: Uint8Array;
  readonly labels: Readonly<Record<string, string>>;
  /** The declared selectable fields, by path. `metadata.name` and `metadata.namespace` are among them. */
  readonly fields: Readonly<Record<string, string>>;
  /** Kept in an outdated form: a write must happen even when it would change nothing. See `Stored`. */
  readonly stale: boolean;
  /** The parsed object; parsed when somebody asks and then kept as long as memory allows. Never changed by anyone. */
  object(): KubeObject;
  /** A representation made from this object once and shared: a Table row, another version's bytes. */
  derived<T extends object>(representation: Representation<T>): T;
  /** What was derived before, as long as it is kept. */
  known<T extends object>(representation: Representation<T>): T | undefined;
  /** Keeps, as long as memory allows, what could not be made at once. */
  keep<T extends object>(representation: Representation<T>, value: T): void;
}

/** An object that can be answered: its stored form, and whatever can be made of it. */
export type Readable = Pick<CachedObject, 'bytes' | 'object' | 'derived'> &
  Partial<Pick<CachedObject, 'known' | 'keep'>>;

/** A way to derive something from an object. Two objects are the same representation only if identical. */
export interface Representation<T extends object> {
  readonly make: (object: Readable) => T;
  /** What a derived value adds to the cache's memory. */
  readonly bytes: (value: T) => number;
}

/** How fresh a read must be. */
export type Freshness =
  /** Whatever the cache holds. */
  | { readonly kind: 'any' }
  /** Everything acknowledged before the call. */
  | { readonly kind: 'latest' }
  /** Waits, bounded, until the cache has reached a revision; then `tooLargeResourceVersion`. */
  | { readonly kind: 'notOlderThan'; readonly revision: Revision };

export interface ReadWindow {
  /** Below the resource's prefix: `''` for everything, `'ns/'` for a namespace, `'ns/name'` for one object. */
  readonly path: string;
  /** Equality on a declared field, answered from an index where the field has one. */
  readonly where?: { readonly field: string; readonly value: string };
  readonly matches?: (object: CachedObject) => boolean;
}

export interface ListRequest extends ReadWindow {
  readonly freshness: Freshness | { readonly kind: 'exact'; readonly revision: Revision };
  readonly limit?: number;
  /** Continue behind this path (exclusive), relative to the resource's prefix. */
  readonly after?: string;
  readonly signal: AbortSignal;
}

export interface CachedList {
  readonly revision: Revision;
  /** When the resource last changed before that: lists with the same one have the same objects. Absent past the cache. */
  readonly contentRevision?: Revision;
  readonly items: readonly CachedObject[];
  /** Where the next page starts behind; absent on the last page. */
  readonly next: string | undefined;
  /** How many objects stand behind this page; absent when a selector makes it unknown. */
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
  /** When the caller will end the watch, in the clock's milliseconds; tells when the last bookmark is due. */
  readonly deadline?: number;
  readonly signal: AbortSignal;
}

export type CacheEvent =
  | {
      readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
      /** For DELETED the last state, with the revision of the deletion (or of leaving the selector). */
      readonly object: CachedObject;
      /** Of MODIFIED: what it was before, and the event for who selects it no longer. */
      readonly previous?: CachedObject | undefined;
      readonly left?: (() => CacheEvent | undefined) | undefined;
      /** The frame of this event in some encoding, made once and shared by every watcher. */
      frame<T extends Uint8Array>(framing: Framing<T>): T;
    }
  | {
      readonly type: 'BOOKMARK';
      readonly revision: Revision;
      /** The one bookmark that ends the initial objects. */
      readonly initialEventsEnd: boolean;
    };

/** How an event becomes bytes on the wire; identity decides sharing, as with `Representation`. */
export interface Framing<T extends Uint8Array> {
  readonly make: (type: 'ADDED' | 'MODIFIED' | 'DELETED', object: Readable) => T;
}

/** An answer is not known without waiting. */
export const WAIT: unique symbol = Symbol('wait');

/** The cache of one resource: all its objects, and its recent changes. */
export interface WatchCache {
  /** What it holds now: none while it is not filled. */
  readonly objects: number;
  /** As it estimates them, with indexes and recent changes. */
  readonly bytes: number;
  readonly watchers: number;
  /**
   * The same as `get` when nothing must be waited for: the object, or `undefined` for none. `WAIT` when
   * only `get` can tell.
   */
  getNow(path: string, freshness: Freshness): CachedObject | typeof WAIT | undefined;
  /** One object by path below the prefix (`ns/name`, or `name` for cluster scope). */
  get(
    path: string,
    freshness: Freshness,
    options: { signal: AbortSignal },
  ): Promise<CachedObject | undefined>;
  list(request: ListRequest): Promise<CachedList>;
  /**
   * Until a watch can be served. Asked before the headers of a watch are sent, because its failures
   * are answers and not events: 429 while the cache has no feed, no room, or too many watches.
   */
  ready(options: { signal: AbortSignal }): Promise<void>;
  /**
   * Batches of events in order. Ends when the signal fires, when the watcher fell behind its
   * bound, or when the cache restarts; fails with `Compacted` when the start is too old.
   */
  watch(request: WatchRequest): AsyncIterable<readonly CacheEvent[]>;
}

/** What a cache must know about its resource. */
export interface CachedResource {
  /** Key prefix in the store, with the trailing slash. */
  readonly prefix: string;
  /**
   * Stored bytes begin with exactly these bytes, which end right behind `"metadata":{`; the
   * resourceVersion is put there. Bytes that begin otherwise (an older version of the resource)
   * are first given to `upgrade`.
   */
  readonly head: Uint8Array;
  readonly upgrade?: (stored: Uint8Array) => Uint8Array;
  /** Bytes may also begin with one of these, of other versions, and stay as they are: readers know what to make of it. */
  readonly otherHeads?: readonly Uint8Array[];
  /** Brings stored bytes into shape; the same bytes when there is nothing to do. */
  readonly settle?: (stored: Uint8Array) => Uint8Array;
  /** Selectable fields of an object beyond name and namespace. */
  readonly fieldsOf?: (object: KubeObject) => Readonly<Record<string, string>>;
  /** Fields with an index. */
  readonly indexed?: readonly string[];
}
