import { type Clock, type Storage, systemClock } from '@tributary/storage';
import type { CacheDependencies } from './cache-dependencies.ts';
import type { ResourceObject } from './cached-object.ts';
import { ChangeFeed } from './change-feed.ts';
import { CurrentRevision } from './current-revision.ts';
import { DerivedBytes } from './derived-bytes.ts';
import { SharedTurn } from './event-loop.ts';
import { FrameCatalog } from './frames.ts';
import { HistoryReplay } from './history-replay.ts';
import { defaultLimits, type WatchCacheLimits } from './limits.ts';
import { MemoryBound } from './memory-bound.ts';
import { noMetrics, type WatchCacheMetrics } from './metrics.ts';
import { ResourceCache } from './resource-cache.ts';
import type { CachedResource, WatchCache } from './types.ts';
import { Wakeups } from './watch-queue.ts';
import type { WatchStream } from './watch-stream.ts';

interface WatchCachesOptions {
  readonly clock?: Clock;
  readonly limits?: Partial<WatchCacheLimits>;
  readonly metrics?: Partial<WatchCacheMetrics>;
}

/** The estimated bytes of the caches, for `/metrics`. */
export interface CacheMemory {
  readonly objects: number;
  /** Objects with their indexes. */
  readonly objectBytes: number;
  /** Values retained only for recent changes. */
  readonly historyBytes: number;
  /** Parsed objects, Table rows, frames. */
  readonly derivedBytes: number;
  readonly bytesMax: number;
  readonly watchers: number;
  readonly resources: readonly {
    readonly prefix: string;
    readonly objects: number;
    readonly bytes: number;
    readonly watchers: number;
    readonly ready: boolean;
  }[];
}

/** The watch caches of one store in one process: one feed, one revision, one memory bound. */
export interface WatchCaches {
  /**
   * The cache of a resource; the same for the same definition. Another definition with the prefix of an earlier one
   * replaces it: the watches of the earlier one end, and its state is discarded.
   */
  cache(resource: CachedResource): WatchCache;
  /**
   * Ends the watches of a resource that is no longer served and discards its state, unless another definition has
   * replaced it.
   */
  remove(resource: CachedResource): void;
  memory(): CacheMemory;
  /** Ends every watch. Does not close the store. Closing twice is harmless. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export function openWatchCaches(storage: Storage, options: WatchCachesOptions = {}): WatchCaches {
  return new ResourceCaches(storage, options);
}

/** The interval of bookmarks and of history trimming. */
const TICK_MS = 1000;

class ResourceCaches implements WatchCaches {
  readonly #shared: CacheDependencies;
  readonly #caches = new Map<string, { resource: CachedResource; cache: ResourceCache }>();
  #cancelTick: (() => void) | undefined;
  #closed = false;

  constructor(storage: Storage, options: WatchCachesOptions) {
    const clock = options.clock ?? systemClock;
    const limits = { ...defaultLimits, ...options.limits };
    const metrics = { ...noMetrics, ...options.metrics };
    const derivedBytes = new DerivedBytes<ResourceObject>(
      Math.min(limits.derivedBytesMax, limits.bytesMax),
    );
    const users = () => this.#all();
    const bound = new MemoryBound(limits, { clock, derivedBytes, users });
    const wakeups = new Wakeups();
    const feed = new ChangeFeed(storage, {
      clock,
      wakeups,
      onProgress: () => bound.enforce(),
      onFailure: (error) => metrics.feedFailed(error),
    });
    this.#shared = {
      storage,
      clock,
      limits,
      metrics,
      feed,
      bound,
      derivedBytes,
      wakeups,
      turn: new SharedTurn(),
      currentRevision: new CurrentRevision(storage),
      replay: new HistoryReplay(storage, clock, limits.historyReplaysMax),
      frames: new FrameCatalog(),
      streams: new Set<WatchStream>(),
    };
    this.#scheduleTick();
  }

  cache(resource: CachedResource): WatchCache {
    if (this.#closed) throw new Error('the watch caches are closed');
    const known = this.#caches.get(resource.prefix);
    if (known?.resource === resource) return known.cache;
    if (known !== undefined) this.remove(known.resource);
    const cache = new ResourceCache(resource, this.#shared);
    this.#shared.feed.attach(cache);
    this.#caches.set(resource.prefix, { resource, cache });
    return cache;
  }

  remove(resource: CachedResource): void {
    const known = this.#caches.get(resource.prefix);
    if (known?.resource !== resource) return;
    this.#caches.delete(resource.prefix);
    this.#shared.feed.detach(known.cache);
    known.cache.close();
  }

  memory(): CacheMemory {
    const resources = this.#all().map((cache) => ({
      prefix: cache.prefix,
      objects: cache.objects,
      bytes: cache.bytes,
      watchers: cache.watchers,
      ready: cache.isFilled,
    }));
    const historyBytes = sum(this.#all(), (cache) => cache.historyBytes);
    return {
      objects: sum(resources, ({ objects }) => objects),
      objectBytes: sum(resources, ({ bytes }) => bytes) - historyBytes,
      historyBytes,
      derivedBytes: this.#shared.derivedBytes.bytes,
      bytesMax: this.#shared.limits.bytesMax,
      watchers: this.#shared.streams.size,
      resources,
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelTick?.();
    for (const { cache } of this.#caches.values()) cache.close();
    await this.#shared.feed.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #all(): ResourceCache[] {
    return [...this.#caches.values()].map(({ cache }) => cache);
  }

  #scheduleTick(): void {
    this.#cancelTick = this.#shared.clock.schedule(TICK_MS, () => this.#tick());
  }

  #tick(): void {
    const nowMs = this.#shared.clock.nowMs();
    for (const { cache } of this.#caches.values()) cache.tick(nowMs);
    this.#shared.bound.enforce();
    if (!this.#closed) this.#scheduleTick();
  }
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}
