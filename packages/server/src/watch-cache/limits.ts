import { totalmem } from 'node:os';

/** What may grow in the caches of one process, and how far. What happens at each bound is said here. */
export interface WatchCacheLimits {
  /**
   * Objects, history and derived bytes of all caches together. Beyond it derived bytes go first,
   * then history beyond its minimum, then the coldest resources leave the cache and are answered
   * from the engine; a watch of a resource that does not fit is refused with 429.
   */
  readonly bytesMax: number;
  /** Parsed objects, Table rows, frames. Beyond it the oldest go; they are made again when asked for. */
  readonly derivedBytesMax: number;
  /** The recent changes of one resource: how few are always kept, and how many at most. */
  readonly historyEventsMin: number;
  readonly historyEventsMax: number;
  /** Values kept only for history, per resource. Beyond it the oldest changes go. */
  readonly historyBytesMax: number;
  /** Younger changes are kept while `historyEventsMax` allows; older ones go when there is no traffic. */
  readonly historyFreshMs: number;
  /** What may wait for one watcher. Beyond either its watch is ended; it resumes where it was. */
  readonly queueEventsMax: number;
  readonly queueBytesMax: number;
  /** Watches at a time in the process. Beyond it a new one is refused with 429. */
  readonly watchersMax: number;
  /** How many watches at a time are replayed from the engine's history; others wait their turn. */
  readonly historyReplaysMax: number;
  /** How long a read waits for freshness, and for a cache being filled. */
  readonly freshWaitMs: number;
  readonly readyWaitMs: number;
  /** How many objects one read of the engine asks for. */
  readonly pageObjectsMax: number;
}

const MiB = 2 ** 20;

export const defaultLimits: WatchCacheLimits = {
  // The cache is the larger part of a server, and not all of it.
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

/** Of the machine or of the container; the latter is 0, or far too large, when there is no limit. */
function availableBytes(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}
