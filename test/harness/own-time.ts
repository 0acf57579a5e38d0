/** CPU time and own elapsed time of this process, so that a busy machine does not look like a slow program. */

/** CPU time of this process during the work, in milliseconds. */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  return sinceMs(before);
}

export interface OwnTime {
  /** Elapsed time since the start, without the time in which the scheduler did not run this process. */
  elapsedMs(): number;
  close(): void;
  [Symbol.dispose](): void;
}

const TICK_MS = 5;

/**
 * Measures work that mostly waits. A timer that fires late while this process computed nothing shows that the
 * machine was busy; that delay is subtracted.
 */
export function ownTime(): OwnTime {
  const startMs = performance.now();
  let last = { ms: startMs, cpu: process.cpuUsage() };
  let lostMs = 0;
  const look = (): void => {
    const ms = performance.now();
    lostMs += Math.max(0, ms - last.ms - TICK_MS - sinceMs(last.cpu));
    last = { ms, cpu: process.cpuUsage() };
  };
  const timer = setInterval(look, TICK_MS);
  const close = () => clearInterval(timer);
  return {
    elapsedMs: () => {
      look();
      return performance.now() - startMs - lostMs;
    },
    close,
    [Symbol.dispose]: close,
  };
}

const ROUNDS_MAX = 5;

/**
 * The best of N runs. The machine, its host or a garbage collection can slow down some of them; the program's own
 * work slows down all. The first run within the bound is the last.
 */
export async function leastMs(
  boundMs: number,
  measure: (round: number) => number | Promise<number>,
): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS_MAX && least >= boundMs; round += 1) {
    least = Math.min(least, await measure(round));
  }
  return least;
}

function sinceMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
