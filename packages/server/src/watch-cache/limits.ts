import { totalmem } from 'node:os';

/** The bounds of the caches of one process, with the behaviour at each bound. */
export interface WatchCacheLimits {
  /**
   * Objects, history and derived bytes of all caches together. Beyond it derived bytes are evicted first, then history
   * beyond its minimum, then the least recently used resources leave the cache and are served from the engine; a watch
   * of a resource that does not fit is refused with 429.
   */
  readonly bytesMax: number;
  /** Parsed objects, Table rows, frames. Beyond it the oldest are evicted; they are made again on demand. */
  readonly derivedBytesMax: number;
  /** The recent changes of one resource: the minimum that is always retained, and the maximum. */
  readonly historyEventsMin: number;
  readonly historyEventsMax: number;
  /** Values retained only for history, per resource. Beyond it the oldest changes are dropped. */
  readonly historyBytesMax: number;
  /** Younger changes are retained while `historyEventsMax` allows; older ones are dropped when there is no traffic. */
  readonly historyFreshMs: number;
  /** The queue of one watcher. Beyond either bound its watch is ended; it resumes from its last event. */
  readonly queueEventsMax: number;
  readonly queueBytesMax: number;
  /** Concurrent watches in the process. Beyond it a new one is refused with 429. */
  readonly watchersMax: number;
  /** Concurrent replays from the engine's history; further watches wait for their turn. */
  readonly historyReplaysMax: number;
  /** The timeout of a read that waits for freshness, and of one that waits for a cache being filled. */
  readonly freshWaitMs: number;
  readonly readyWaitMs: number;
  /** The page size of reads from the engine. */
  readonly pageObjectsMax: number;
}

const MiB = 2 ** 20;

export const defaultLimits: WatchCacheLimits = {
  // Half of the available memory: the server needs memory beside the cache.
  bytesMax: Math.floor(availableBytes() / 2),
  derivedBytesMax: 32 * MiB,
  historyEventsMin: 100,
  historyEventsMax: 102_400,
  historyBytesMax: 32 * MiB,
  historyFreshMs: 75_000,
  queueEventsMax: 1000,
  queueBytesMax: 32 * MiB,
  watchersMax: 100_000,
  historyReplaysMax: 4,
  freshWaitMs: 3000,
  readyWaitMs: 3000,
  pageObjectsMax: 10_000,
};

/** The memory of the machine or of the container; the latter is 0, or far too large, when there is no limit. */
function availableBytes(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}
