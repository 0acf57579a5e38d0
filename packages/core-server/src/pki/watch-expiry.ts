import type { Clock } from '@tributary/storage';
import { type ControlPlanePki, renewIfDue } from './control-plane.ts';
import type { ServingNames } from './inventory.ts';

export interface ExpiryOptions extends ServingNames {
  readonly directory: string;
  readonly clock: Clock;
  /** Applies the new certificates. */
  readonly onRenewed: (pki: ControlPlanePki) => void;
  /** Called when a renewal or `onRenewed` failed; it is retried an hour later. */
  readonly onFailed: (error: unknown) => void;
}

/** Reading valid certificates takes milliseconds, and they are renewed a month before they expire. */
const CHECK_MS = 60 * 60 * 1000;

/** Renews the certificates of a running server before they expire, until it is closed. */
export function watchExpiry(options: ExpiryOptions): { close(): void } {
  const { directory, clock, onRenewed, onFailed } = options;
  let isClosed = false;
  /** Renewed but not yet applied. */
  let waiting: ControlPlanePki | undefined;
  let cancel = lookLater();

  async function look(): Promise<void> {
    try {
      waiting = (await renewIfDue(directory, { ...options, nowMs: clock.nowMs() })) ?? waiting;
      if (waiting === undefined || isClosed) return;
      onRenewed(waiting);
      waiting = undefined;
    } catch (error) {
      onFailed(error);
    }
  }

  function lookLater(): () => void {
    return clock.schedule(CHECK_MS, () => {
      look().then(again, again);
    });
  }

  function again(): void {
    if (!isClosed) cancel = lookLater();
  }

  return {
    close() {
      isClosed = true;
      cancel();
    },
  };
}
