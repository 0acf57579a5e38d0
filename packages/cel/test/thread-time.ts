/** How long work takes on this thread, on a machine that others use too. */
import assert from 'node:assert/strict';

/**
 * The time of a fixed piece of work on an idle machine. Where other processes share the cores, the caches and the
 * memory, all work takes longer.
 */
const YARDSTICK_MS = 8;

/** Of this thread alone: the garbage collector's helpers and other tests do not stop the loop. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

export function timed(work: () => void): number {
  const before = threadMs();
  work();
  return threadMs() - before;
}

/** How many times slower this machine is at the moment. */
export function slowness(): number {
  return Math.max(1, timed(yardstick) / YARDSTICK_MS);
}

/** Allocates, looks up and calls, as an evaluation does. */
function yardstick(): void {
  const seen = new Map<string, { readonly index: number }>();
  let sum = 0n;
  for (let index = 0; index < 60_000; index++) {
    seen.set(`key-${index % 5000}`, { index });
    sum += BigInt(seen.get(`key-${(index * 7) % 5000}`)?.index ?? 0);
  }
  assert.ok(sum > 0n);
}

// The first run is slower than all others.
yardstick();
