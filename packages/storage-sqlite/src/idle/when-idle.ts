import { performance } from 'node:perf_hooks';
import { type Clock, systemClock } from '@tributary/storage';

const POLL_MS = 1000;
/** A server with nothing to do but its own timers is below this share. */
const IDLE_SHARE = 0.05;
/** Pauses between two bursts are mostly shorter. */
const IDLE_POLLS = 3;

export interface IdleOptions {
  readonly clock?: Clock;
  /** The share of the time since the last call in which this thread was busy. */
  readonly workShare?: () => number;
}

/**
 * Runs when this thread has become idle: after three seconds almost without work, and once until there is work again.
 */
export function whenIdle(
  run: () => unknown,
  { clock = systemClock, workShare = loopShare() }: IdleOptions = {},
): () => void {
  let idlePolls = 0;
  const poll = () => {
    cancel = clock.schedule(POLL_MS, poll);
    idlePolls = workShare() < IDLE_SHARE ? idlePolls + 1 : 0;
    if (idlePolls === IDLE_POLLS) run();
  };
  let cancel = clock.schedule(POLL_MS, poll);
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
