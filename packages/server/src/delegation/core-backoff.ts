import type { BackoffOptions } from '@tributary/client';

/** A core server that recovers is noticed within a second: pauses are at most 800 ms, jitter included. */
export const CORE_BACKOFF: BackoffOptions = {
  initialMs: 100,
  maxMs: 400,
  factor: 2,
  jitter: 1,
  resetMs: 60_000,
};
