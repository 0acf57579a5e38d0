import type { ServerHistory } from './server-history.ts';

/** When a server is asked again, in milliseconds after the last probe ended. */
export interface ProbeSchedule {
  /** Nothing speaks against it. */
  readonly availableMs: number;
  /** It is asked for, and has answered nobody for this long: its silence is noticed soon. */
  readonly requestedMs: number;
  /** So long a request may take to be answered before a probe asks the same. */
  readonly slowRequestMs: number;
  /** It is unavailable. So often that its return is seen within a second, and not more often. */
  readonly unavailableMs: number;
  /** The same while somebody waits for it and few others are unavailable. */
  readonly requestedWhileDownMs: number;
  /** How long a probe may take. Three of them, one after the other, make less than five seconds. */
  readonly timeoutMs: number;
  /** Between two probes that nothing but signs of others brought about. */
  readonly gapMs: number;
  /** At the start all are asked within this time, and not at once. */
  readonly startMs: number;
}

export const standardSchedule: ProbeSchedule = {
  availableMs: 10_000,
  requestedMs: 1_000,
  slowRequestMs: 300,
  unavailableMs: 750,
  requestedWhileDownMs: 400,
  timeoutMs: 1_200,
  gapMs: 200,
  startMs: 250,
};

const SILENT_PAUSE_MS = 50;
/** Many servers that failed together must not be asked together for ever. */
const JITTER = 0.1;

/** For how long somebody who was refused counts as waiting. */
const INTEREST_MS = 10_000;

/** What beside the course of a server decides how often it is asked. */
export interface ProbePressure {
  /** How many are unavailable. */
  readonly down: number;
  /** When a request for this one was last refused; undefined: never. */
  readonly refusedMs: number | undefined;
  readonly nowMs: number;
}

/**
 * So many unavailable servers may be asked in a second, beside those that somebody waits for. A few are seen to
 * return within a second anyhow; where fifty are gone, a processor has better things to do.
 */
const DOWN_PROBES_PER_SECOND = 10;

export function delayAfterProbe(
  { state, doubt }: ServerHistory,
  schedule: ProbeSchedule,
  pressure: ProbePressure & { readonly random: () => number },
): number {
  const jitter = 1 - JITTER + 2 * JITTER * pressure.random();
  // In doubt: at once. Silence has taken its time already.
  if (state?.status !== 'False') return doubt === undefined ? schedule.availableMs * jitter : 0;
  // Nobody to ask: what changes that is told. This is only in case that something was missed.
  if (doubt === undefined) return schedule.availableMs * jitter;
  // A probe that waited in vain was there all the time to see the server come back.
  return doubt.isSilent ? SILENT_PAUSE_MS * jitter : delayWhileDown(schedule, pressure) * jitter;
}

/** A server that is silent is not asked more often, but listened to longer: its answer is seen when it comes. */
export function probeTimeout(
  { state }: ServerHistory,
  schedule: ProbeSchedule,
  pressure: ProbePressure,
): number {
  const { timeoutMs } = schedule;
  return state?.status === 'False'
    ? Math.max(timeoutMs, delayWhileDown(schedule, pressure))
    : timeoutMs;
}

export function delayWhileDown(
  { unavailableMs, requestedWhileDownMs }: ProbeSchedule,
  { down, refusedMs, nowMs }: ProbePressure,
): number {
  const isRequested = refusedMs !== undefined && nowMs - refusedMs < INTEREST_MS;
  const sharedMs = (down * 1000) / DOWN_PROBES_PER_SECOND;
  return isRequested
    ? Math.min(unavailableMs, Math.max(requestedWhileDownMs, sharedMs))
    : Math.max(unavailableMs, sharedMs);
}
