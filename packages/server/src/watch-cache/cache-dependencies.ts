import type { Clock, Storage } from '@tributary/storage';
import type { ResourceObject } from './cached-object.ts';
import type { ChangeFeed } from './change-feed.ts';
import type { CurrentRevision } from './current-revision.ts';
import type { DerivedBytes } from './derived-bytes.ts';
import type { SharedTurn } from './event-loop.ts';
import type { FrameCatalog } from './frames.ts';
import type { HistoryReplay } from './history-replay.ts';
import type { WatchCacheLimits } from './limits.ts';
import type { MemoryBound } from './memory-bound.ts';
import type { WatchCacheMetrics } from './metrics.ts';
import type { Wakeups } from './watch-queue.ts';
import type { WatchStream } from './watch-stream.ts';

/** Dependencies shared by the caches of one store. */
export interface CacheDependencies {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly limits: WatchCacheLimits;
  readonly metrics: WatchCacheMetrics;
  readonly feed: ChangeFeed;
  readonly currentRevision: CurrentRevision;
  readonly replay: HistoryReplay;
  readonly bound: MemoryBound;
  readonly derivedBytes: DerivedBytes<ResourceObject>;
  readonly frames: FrameCatalog;
  readonly wakeups: Wakeups;
  readonly turn: SharedTurn;
  /** Watches of all caches. */
  readonly streams: Set<WatchStream>;
}
