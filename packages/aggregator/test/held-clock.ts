/** The system clock, with one kind of timer in the hands of a test. */
import { type Clock, systemClock } from '@tributary/client';

export interface HeldClock extends Clock {
  /** How many timers are held. */
  readonly held: number;
  /** Fires all that are held. */
  fire(): void;
}

/** A time limit of requests that no other timer comes near. */
export const HELD_MS = 60 * 60_000;

/**
 * Timers of about an hour fire when the test says, however slow the machine is. Some time of a limit may be over when
 * its timer is set.
 */
export function heldClock(): HeldClock {
  const held = new Set<() => void>();
  return {
    nowMs: systemClock.nowMs,
    schedule(delayMs, run) {
      if (delayMs < HELD_MS / 2) return systemClock.schedule(delayMs, run);
      held.add(run);
      return () => void held.delete(run);
    },
    get held() {
      return held.size;
    },
    fire() {
      const due = [...held];
      held.clear();
      for (const run of due) run();
    },
  };
}
