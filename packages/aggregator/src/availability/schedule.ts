import type { Course } from './course.ts';

/** When a server is asked again, in milliseconds after the last probe ended. */
export interface ProbeSchedule {
  /** Nothing speaks against it. */
  readonly wellMs: number;
  /** It is asked for, and has not answered anybody for this long: its silence is noticed soon. */
  readonly askedForMs: number;
  /** It is unavailable. So often that its return is seen within a second, and not more often. */
  readonly downMs: number;
  /** How long a probe may take. Three of them, one after the other, make less than five seconds. */
  readonly timeoutMs: number;
  /** Between two probes that nothing but signs of others brought about. */
  readonly gapMs: number;
  /** At the start all are asked within this time, and not at once. */
  readonly startMs: number;
}

export const standardSchedule: ProbeSchedule = {
  wellMs: 10_000,
  askedForMs: 1_000,
  downMs: 750,
  timeoutMs: 1_200,
  gapMs: 200,
  startMs: 250,
};

const SILENT_PAUSE_MS = 50;
/** Many servers that failed together must not be asked together for ever. */
const JITTER = 0.1;

export function delayAfterProbe(
  { state, doubt }: Course,
  schedule: ProbeSchedule,
  random: () => number,
): number {
  const jitter = 1 - JITTER + 2 * JITTER * random();
  // In doubt: at once. Silence has taken its time already.
  if (state?.status !== 'False') return doubt === undefined ? schedule.wellMs * jitter : 0;
  // Nobody to ask: what changes that is told. This is only in case that something was missed.
  if (doubt === undefined) return schedule.wellMs * jitter;
  // A probe that waited in vain was there all the time to see the server come back.
  return doubt.isSilent ? SILENT_PAUSE_MS * jitter : schedule.downMs * jitter;
}
