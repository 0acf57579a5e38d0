import { performance } from 'node:perf_hooks';
import { type Clock, systemClock } from '@tributary/storage';

const LOOK_MS = 1000;
/** A server with nothing to do but its own timers works less than this share of the time. */
const QUIET_SHARE = 0.05;
/** Pauses between two bursts are mostly shorter. */
const QUIET_LOOKS = 3;

export interface QuietOptions {
  readonly clock?: Clock;
  /** The share of the time since it was last asked in which this thread was at work. */
  readonly workShare?: () => number;
}

/** Runs whenever this thread has come to rest: after three seconds almost without work, once until there was some. */
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
