import type { Registration, RemoteServer } from '../api-services/registration.ts';
import type { AvailabilityState } from './availability.ts';
import type { ServerHistory } from './server-history.ts';

/** A registration whose server is looked after. */
export interface ProbedServer {
  registration: Registration;
  course: ServerHistory;
  /** When an ordinary request was last answered. A number, because every request sets it. */
  respondedMs: number | undefined;
  /** When a request was last about to be sent, and when one was last refused because of what is known. */
  askedMs: number;
  refusedMs: number | undefined;
  /** The probe under way, or waiting for its turn; aborted when what it asks for is no longer of interest. */
  probe: AbortController | undefined;
  /** When the last probe began, when it ended, and when the last one that passed did. */
  startedMs: number;
  endedMs: number;
  passedMs: number;
  /** Traffic that goes well is not enough: somebody wants to know it from a probe. */
  mustProbe: boolean;
  /** When it is looked at next. */
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

/** Whether requests would go to the same place, and believe the same people there. */
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
