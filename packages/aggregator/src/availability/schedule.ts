import type { ServerHistory } from './decide-availability.ts';

/** Delays between probes, in milliseconds after the end of the last one. */
export interface ProbeSchedule {
  /** Of an available server. */
  readonly availableMs: number;
  /** Of a server that has requests and no response for this long, so that its silence is noticed soon. */
  readonly requestedMs: number;
  /** How long a request may take before a probe checks the server. */
  readonly slowRequestMs: number;
  /** Of an unavailable server: often enough to notice its return within a second. */
  readonly unavailableMs: number;
  /** The same while requests for it arrive and few others are unavailable. */
  readonly requestedWhileDownMs: number;
  /** The timeout of a probe. Three in sequence take less than five seconds. */
  readonly timeoutMs: number;
  /** The minimum between two probes caused by requests. */
  readonly gapMs: number;
  /** The time over which the probes of a start are spread. */
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
/** Spreads the probes of servers that failed together. */
const JITTER = 0.1;

/** How long a refused request counts as demand for its server. */
const INTEREST_MS = 10_000;

/** Inputs of the schedule besides the history of the server. */
export interface ProbePressure {
  /** The number of unavailable servers. */
  readonly down: number;
  /** The time of the last refused request for this server; undefined: never. */
  readonly refusedMs: number | undefined;
  readonly nowMs: number;
}

/**
 * Probes per second of all unavailable servers without requests. Few of them are probed more often anyway; with fifty,
 * probes would cost too much CPU.
 */
const DOWN_PROBES_PER_SECOND = 10;

export function delayAfterProbe(
  { state, doubt }: ServerHistory,
  schedule: ProbeSchedule,
  pressure: ProbePressure & { readonly random: () => number },
): number {
  const jitter = 1 - JITTER + 2 * JITTER * pressure.random();
  // A doubt is checked at once: a silent probe has already taken its timeout.
  if (state?.status !== 'False') return doubt === undefined ? schedule.availableMs * jitter : 0;
  // Without a target, an event announces the change. This delay covers a missed event.
  if (doubt === undefined) return schedule.availableMs * jitter;
  // A probe that ran until its timeout would have noticed the server's return.
  return doubt.isSilent ? SILENT_PAUSE_MS * jitter : delayWhileDown(schedule, pressure) * jitter;
}

/**
 * A silent server is not probed more often but with a longer timeout, so that its response is noticed when it comes.
 */
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
