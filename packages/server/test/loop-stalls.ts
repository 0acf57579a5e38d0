import type { TestContext } from 'node:test';

/** How long the event loop stood still because of this process. */
export interface LoopWatch {
  /** Since it began, or since the last reset. */
  longestMs(): number;
  reset(): void;
}

const LOOK_MS = 1;

/**
 * Between two looks passes the time of whatever ran between them. Where others share the machine that may be more than
 * this thread has worked, so that the smaller of the two counts.
 */
export function watchLoop(t: TestContext): LoopWatch {
  let last = now();
  let longest = 0;
  const stall = () => {
    const { wallMs, cpuMs } = now();
    return Math.min(wallMs - last.wallMs, cpuMs - last.cpuMs);
  };
  const timer = setInterval(() => {
    longest = Math.max(longest, stall());
    last = now();
  }, LOOK_MS);
  t.after(() => clearInterval(timer));
  return {
    longestMs: () => Math.max(longest, stall()),
    reset: () => {
      longest = 0;
      last = now();
    },
  };
}

function now(): { readonly wallMs: number; readonly cpuMs: number } {
  const { user, system } = process.threadCpuUsage();
  return { wallMs: performance.now(), cpuMs: (user + system) / 1000 };
}
