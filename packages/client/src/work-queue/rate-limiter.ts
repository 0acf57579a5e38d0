import type { Clock } from '../timing/clock.ts';

/** Decides the delay of an item before it is retried. */
export interface RateLimiter<K> {
  /** Counts as one more failure of the item. */
  delayMs(item: K): number;
  /** The item succeeded, or is not retried. */
  forget(item: K): void;
  /** The number of failures of the item since it was last forgotten. */
  failures(item: K): number;
}

/** Doubles the delay with every failure of the same item. */
export function exponentialRateLimiter<K>(options: {
  readonly baseMs: number;
  readonly maxMs: number;
}): RateLimiter<K> {
  const failures = new Map<K, number>();
  return {
    delayMs(item) {
      const count = failures.get(item) ?? 0;
      failures.set(item, count + 1);
      return Math.min(options.baseMs * 2 ** count, options.maxMs);
    },
    forget: (item) => void failures.delete(item),
    failures: (item) => failures.get(item) ?? 0,
  };
}

/** A token bucket for all items together. */
export function bucketRateLimiter<K>(options: {
  readonly perSecond: number;
  readonly burst: number;
  readonly clock: Clock;
}): RateLimiter<K> {
  const { perSecond, burst, clock } = options;
  let tokens = burst;
  let countedAtMs = clock.nowMs();
  return {
    delayMs() {
      const nowMs = clock.nowMs();
      // A clock that was set back changes nothing.
      const earned = (Math.max(0, nowMs - countedAtMs) / 1000) * perSecond;
      tokens = Math.min(burst, tokens + earned) - 1;
      countedAtMs = nowMs;
      return tokens >= 0 ? 0 : (-tokens / perSecond) * 1000;
    },
    forget: () => {},
    failures: () => 0,
  };
}

/** The longest delay of several limiters. */
export function slowestRateLimiter<K>(limiters: readonly RateLimiter<K>[]): RateLimiter<K> {
  return {
    delayMs: (item) => Math.max(0, ...limiters.map((limiter) => limiter.delayMs(item))),
    forget(item) {
      for (const limiter of limiters) limiter.forget(item);
    },
    failures: (item) => Math.max(0, ...limiters.map((limiter) => limiter.failures(item))),
  };
}

/** The limits of controllers in client-go: 5 ms to 1000 s for each item, 10 retries a second for all, 100 at once. */
export function controllerRateLimiter<K>(clock: Clock): RateLimiter<K> {
  return slowestRateLimiter<K>([
    exponentialRateLimiter<K>({ baseMs: 5, maxMs: 1_000_000 }),
    bucketRateLimiter<K>({ perSecond: 10, burst: 100, clock }),
  ]);
}
