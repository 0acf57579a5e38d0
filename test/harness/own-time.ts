/** Time that is the program's own: a busy machine must not look like a slow program. */

/** What this process computes in the meantime, in milliseconds; other programs do not count. */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  return sinceMs(before);
}

export interface OwnTime {
  /** From the start to now, without the time in which this process wanted to run and was not let. */
  elapsedMs(): number;
  close(): void;
  [Symbol.dispose](): void;
}

const TICK_MS = 5;

/**
 * Measures what takes a while and mostly waits. A timer that comes late without this process having computed anything
 * says that the machine was busy elsewhere; one that comes late because this process was computing does not.
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
 * What a program takes where others can only add to it: the least of a few rounds. The machine, its host or a collection
 * may come into one of them; what the program does itself comes into every one. A round within the bound is the last.
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
