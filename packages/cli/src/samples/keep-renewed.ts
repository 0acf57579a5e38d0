import { type Clock, sleep } from '@tributary/client';

export interface RenewalOptions {
  /** Of what is there now. */
  readonly expiresAtMs: number;
  readonly clock: Clock;
  readonly onFailed: (error: unknown) => void;
  readonly signal: AbortSignal;
}

/** The share of the remaining time. The rest is for failed attempts, and for readers that poll once a minute. */
const SHARE = 0.8;
const TRY_AGAIN_MS = 30_000;

/** Renews what expires before it does. Ends by throwing when the signal fires. */
export async function keepRenewed(
  renew: () => Promise<{ readonly expiresAtMs: number }>,
  { expiresAtMs, clock, onFailed, signal }: RenewalOptions,
): Promise<never> {
  let waitMs = (expiresAtMs - clock.nowMs()) * SHARE;
  for (;;) {
    await sleep(clock, Math.max(waitMs, TRY_AGAIN_MS), signal);
    try {
      const renewed = await renew();
      waitMs = (renewed.expiresAtMs - clock.nowMs()) * SHARE;
    } catch (error) {
      signal.throwIfAborted();
      onFailed(error);
      waitMs = TRY_AGAIN_MS;
    }
  }
}
