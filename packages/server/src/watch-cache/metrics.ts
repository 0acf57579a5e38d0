import type { WatchEnd } from './watch-stream.ts';

/** What the caches report as it happens; everything else is asked of `memory()`. */
export interface WatchCacheMetrics {
  watchEnded(reason: WatchEnd): void;
  /** The feed is down; it starts again by itself. */
  feedFailed(error: unknown): void;
  filled(prefix: string, figures: { objects: number; tookMs: number }): void;
  fillFailed(prefix: string, error: unknown): void;
  /** A resource had to leave the cache because there was no room for it. */
  dropped(prefix: string, bytes: number): void;
}

export const noMetrics: WatchCacheMetrics = {
  watchEnded() {},
  feedFailed() {},
  filled() {},
  fillFailed() {},
  dropped() {},
};
