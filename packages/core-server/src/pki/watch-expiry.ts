import type { Clock } from '@tributary/storage';
import { type ControlPlanePki, renewIfDue } from './control-plane.ts';
import type { ServingNames } from './inventory.ts';

export interface ExpiryOptions extends ServingNames {
  readonly directory: string;
  readonly clock: Clock;
  /** Takes the new certificates into use. */
  readonly onRenewed: (pki: ControlPlanePki) => void;
  /** Renewing did not work, or the new certificates could not be taken; it is tried again an hour later. */
  readonly onFailed: (error: unknown) => void;
}

/** Reading good certificates costs milliseconds, and they are renewed a month before they run out. */
const LOOK_AGAIN_MS = 60 * 60 * 1000;

/** Renews the certificates of a running server before they run out, until it is closed. */
export function watchExpiry(options: ExpiryOptions): { close(): void } {
  const { directory, clock, onRenewed, onFailed } = options;
  let isClosed = false;
  /** Renewed and not yet taken into use. */
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
    return clock.schedule(LOOK_AGAIN_MS, () => {
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
