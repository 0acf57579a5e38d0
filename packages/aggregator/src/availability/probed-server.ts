import type { Registration, RemoteServer } from '../api-services/registration.ts';
import type { AvailabilityState } from './availability.ts';
import type { ServerHistory } from './decide-availability.ts';

/** A registration and the probes of its backend. */
export interface ProbedServer {
  registration: Registration;
  course: ServerHistory;
  /** The time of the last response to a request. A number, because every response sets it. */
  respondedMs: number | undefined;
  /** The time of the last request, and of the last one refused because of the known state. */
  askedMs: number;
  refusedMs: number | undefined;
  /** The running or waiting probe; aborted when its result is no longer needed. */
  probe: AbortController | undefined;
  /** The start of the last probe, its end, and the end of the last successful one. */
  startedMs: number;
  endedMs: number;
  passedMs: number;
  /** Responses to requests are not enough: the next finding must come from a probe. */
  mustProbe: boolean;
  /** The time of the next probe. */
  dueMs: number;
  cancelTimer: () => void;
}

export function newProbedServer(registration: Registration, course: ServerHistory): ProbedServer {
  return {
    registration,
    course,
    respondedMs: undefined,
    askedMs: Number.NEGATIVE_INFINITY,
    refusedMs: undefined,
    probe: undefined,
    startedMs: Number.NEGATIVE_INFINITY,
    endedMs: Number.NEGATIVE_INFINITY,
    passedMs: Number.NEGATIVE_INFINITY,
    mustProbe: true,
    dueMs: Number.POSITIVE_INFINITY,
    cancelTimer: () => {},
  };
}

export function stateOf({ course, respondedMs }: ProbedServer): AvailabilityState | undefined {
  const { state } = course;
  if (state === undefined || respondedMs === undefined) return state;
  const { lastSuccessMs = respondedMs } = state;
  return { ...state, lastSuccessMs: Math.max(lastSuccessMs, respondedMs) };
}

export function isUnavailable({ course }: ProbedServer): boolean {
  return course.state?.status === 'False';
}

/** Whether two configurations lead to the same address with the same trust. */
export function isSameServer(a: RemoteServer | undefined, b: RemoteServer | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return (
    a.service.namespace === b.service.namespace &&
    a.service.name === b.service.name &&
    a.service.port === b.service.port &&
    a.url?.href === b.url?.href &&
    a.caBundle === b.caBundle &&
    a.insecureSkipTlsVerify === b.insecureSkipTlsVerify
  );
}
