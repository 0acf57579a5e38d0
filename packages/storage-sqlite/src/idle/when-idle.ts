import { performance } from 'node:perf_hooks';
import { type Clock, systemClock } from '@tributary/storage';

const LOOK_MS = 1000;
/** A server with nothing to do but its own timers is below this share. */
const QUIET_SHARE = 0.05;
/** Pauses between two bursts are mostly shorter. */
const QUIET_LOOKS = 3;

export interface QuietOptions {
  readonly clock?: Clock;
  /** The share of the time since the last call in which this thread was busy. */
  readonly workShare?: () => number;
}

/**
 * Runs when this thread has become idle: after three seconds almost without work, and once until there is work again.
 */
export function whenQuiet(
  run: () => unknown,
  { clock = systemClock, workShare = loopShare() }: QuietOptions = {},
): () => void {
  let quietLooks = 0;
  const look = () => {
    cancel = clock.schedule(LOOK_MS, look);
    quietLooks = workShare() < QUIET_SHARE ? quietLooks + 1 : 0;
    if (quietLooks === QUIET_LOOKS) run();
  };
  let cancel = clock.schedule(LOOK_MS, look);
  return () => cancel();
}

function loopShare(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}
