/** Time as a store needs it; tests pass a manual clock. */
export interface Clock {
  /** Milliseconds since 1970. Never goes back while the process runs. */
  nowMs(): number;
  /**
   * Runs once after about `delayMs` and returns its cancellation. Timers are coarse and their delay is limited, so a
   * caller that must not run early checks the time again. Does not keep the process alive.
   */
  schedule(delayMs: number, run: () => void): () => void;
}

/** Longer delays overflow Node's timers and fire at once. */
const DELAY_MS_MAX = 2 ** 31 - 1;

/** Follows the monotonic clock from the start of the process: setting the wall clock expires nothing. */
export const systemClock: Clock = {
  nowMs: () => performance.timeOrigin + performance.now(),
  schedule(delayMs, run) {
    const timer = setTimeout(run, Math.min(Math.max(delayMs, 0), DELAY_MS_MAX));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

export interface ManualClock extends Clock {
  /** Advances the time and runs due timers in the order of their times. */
  advance(byMs: number): void;
}

export function manualClock(startMs = 1_700_000_000_000): ManualClock {
  let now = startMs;
  const waiting = new Set<{ readonly at: number; readonly run: () => void }>();

  function nextUntil(limit: number): { at: number; run: () => void } | undefined {
    const due = [...waiting].filter(({ at }) => at <= limit);
    return due.sort((a, b) => a.at - b.at)[0];
  }

  return {
    nowMs: () => now,
    schedule(delayMs, run) {
      const entry = { at: now + Math.max(delayMs, 0), run };
      waiting.add(entry);
      return () => waiting.delete(entry);
    },
    advance(byMs) {
      const end = now + byMs;
      for (let next = nextUntil(end); next !== undefined; next = nextUntil(end)) {
        waiting.delete(next);
        now = next.at;
        next.run();
      }
      now = end;
    },
  };
}
