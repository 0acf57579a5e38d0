import type { TargetProblem } from '@tributary/proxy';
import type { AvailabilityState } from './availability.ts';

/** What is known of one server, and what it is suspected of. Pure: every sign gives a new one. */
export interface ServerHistory {
  /** When this process began to look. */
  readonly beganMs: number;
  /** Undefined until something was found out. */
  readonly state: AvailabilityState | undefined;
  /** Whether the state was found out by this process; otherwise it is what the APIService said before. */
  readonly isOwn: boolean;
  /** When a sign last agreed with the state. */
  readonly confirmedMs: number;
  readonly doubt: Doubt | undefined;
}

/** Signs against a server whose state does not say so yet. */
export interface Doubt {
  /** Failed probes in a row. */
  readonly failedProbes: number;
  /** Failed probes in a row, and a request that failed before them. */
  readonly failures: number;
  /** Whether the last sign was silence, which needs more of its kind than a clear answer. */
  readonly isSilent: boolean;
  /** Whether an ordinary request that succeeds ends it. A server that answers probes wrongly may answer others. */
  readonly endsWithTraffic: boolean;
}

export type ProbeFailure = {
  /** Silent: nobody said no, there was just no answer in time. Refused: no exchange came about. */
  readonly kind: 'silent' | 'refused' | 'wrong-answer';
  readonly message: string;
};

export type Sign =
  /** A probe was answered as it should be. */
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly failure: ProbeFailure }
  /** There is nobody to ask. */
  | { readonly kind: 'nobody'; readonly problem: TargetProblem }
  /** An ordinary request was answered, however. */
  | { readonly kind: 'request-answered' }
  /** An ordinary request got no answer. */
  | { readonly kind: 'request-failed' }
  /** This process serves it by itself. */
  | { readonly kind: 'local' };

/** Upstream's words. */
const PASSED = { status: 'True', reason: 'Passed', message: 'all checks passed' } as const;
const LOCAL = {
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
} as const;

/** One probe may be lost, and a second one may fall into the same pause of the server. */
export const SILENT_PROBES_MAX = 3;
/** A clear failure is believed when somebody has seen it before, a request or another probe. */
const CLEAR_EVIDENCE_MAX = 2;
/** Local copies are complete long before; until then the former state is the best there is. */
export const UNKNOWN_AFTER_MS = 10_000;

export function newHistory(nowMs: number, stored: AvailabilityState | undefined): ServerHistory {
  return { beganMs: nowMs, state: stored, isOwn: false, confirmedMs: nowMs, doubt: undefined };
}

export function applySign(history: ServerHistory, sign: Sign, nowMs: number): ServerHistory {
  switch (sign.kind) {
    case 'passed':
      return found(history, { ...PASSED, nowMs, lastSuccessMs: nowMs });
    case 'local':
      return found(history, { ...LOCAL, nowMs, lastSuccessMs: undefined });
    case 'failed':
      return failed(history, sign.failure, nowMs);
    case 'nobody':
      return noTarget(history, sign.problem, nowMs);
    case 'request-answered':
      return onResponse(history, nowMs);
    case 'request-failed':
      return history.doubt === undefined && history.state?.status !== 'False'
        ? { ...history, doubt: FIRST_DOUBT }
        : history;
    default:
      return unreachable(sign);
  }
}

const FIRST_DOUBT: Doubt = {
  failedProbes: 0,
  failures: 1,
  isSilent: false,
  endsWithTraffic: true,
};

function failed(history: ServerHistory, failure: ProbeFailure, nowMs: number): ServerHistory {
  const { doubt = { ...FIRST_DOUBT, failures: 0 }, state } = history;
  const isSilent = failure.kind === 'silent';
  const next: Doubt = {
    failedProbes: doubt.failedProbes + 1,
    failures: doubt.failures + 1,
    isSilent,
    endsWithTraffic: failure.kind !== 'wrong-answer',
  };
  const isSure =
    state?.status === 'False' ||
    next.failedProbes >= SILENT_PROBES_MAX ||
    (!isSilent && next.failures >= CLEAR_EVIDENCE_MAX);
  if (!isSure) return { ...history, doubt: next };
  const finding = { status: 'False', reason: 'FailedDiscoveryCheck' } as const;
  const { message } = failure;
  const after = found(history, { ...finding, message, nowMs, lastSuccessMs: undefined });
  // How it failed last decides when it is asked again.
  return { ...after, doubt: { ...next, failedProbes: SILENT_PROBES_MAX } };
}

function noTarget(history: ServerHistory, problem: TargetProblem, nowMs: number): ServerHistory {
  if (problem.status === 'Unknown' && nowMs - history.beganMs < UNKNOWN_AFTER_MS) return history;
  return found(history, { ...problem, nowMs, lastSuccessMs: undefined });
}

/** Says nothing of a server that is not asked at present: only a probe can bring it back. */
function onResponse(history: ServerHistory, nowMs: number): ServerHistory {
  const { state, doubt } = history;
  if (state === undefined || state.status === 'False') return history;
  return {
    ...history,
    state: { ...state, lastSuccessMs: nowMs },
    doubt: doubt?.endsWithTraffic ? undefined : doubt,
  };
}

interface Found {
  readonly status: AvailabilityState['status'];
  readonly reason: string;
  readonly message: string;
  readonly nowMs: number;
  readonly lastSuccessMs: number | undefined;
}

function found(
  history: ServerHistory,
  { status, reason, message, nowMs, lastSuccessMs }: Found,
): ServerHistory {
  const { state: before, beganMs } = history;
  return {
    beganMs,
    isOwn: true,
    confirmedMs: nowMs,
    doubt: undefined,
    state: {
      status,
      reason,
      message,
      sinceMs: before?.status === status ? before.sinceMs : nowMs,
      lastSuccessMs: lastSuccessMs ?? before?.lastSuccessMs,
    },
  };
}

function unreachable(sign: never): never {
  throw new Error(`no such sign: ${JSON.stringify(sign)}`);
}
