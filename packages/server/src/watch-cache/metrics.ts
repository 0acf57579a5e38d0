import type { WatchEnd } from './watch-stream.ts';

/** Events that the caches report; gauges come from `memory()`. */
export interface WatchCacheMetrics {
  watchEnded(reason: WatchEnd): void;
  /** The feed failed and restarts by itself. */
  feedFailed(error: unknown): void;
  filled(prefix: string, figures: { objects: number; tookMs: number }): void;
  fillFailed(prefix: string, error: unknown): void;
  /** A resource left the cache for lack of room. */
  dropped(prefix: string, bytes: number): void;
}

export const noMetrics: WatchCacheMetrics = {
  watchEnded() {},
  feedFailed() {},
  filled() {},
  fillFailed() {},
  dropped() {},
};
