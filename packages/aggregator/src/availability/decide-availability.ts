import type { TargetProblem } from '@tributary/proxy';
import type { AvailabilityState } from './availability.ts';

/** The known state of one backend and the doubt about it. Immutable: every sign gives a new one. */
export interface ServerHistory {
  /** When this process started to probe it. */
  readonly beganMs: number;
  /** Undefined until there is a finding. */
  readonly state: AvailabilityState | undefined;
  /** Whether this process found the state; otherwise it is the stored condition. */
  readonly isOwn: boolean;
  /** The time of the last sign that agreed with the state. */
  readonly confirmedMs: number;
  readonly doubt: Doubt | undefined;
}

/** Signs against a state that is not changed yet. */
export interface Doubt {
  /** Consecutive failed probes. */
  readonly failedProbes: number;
  /** Consecutive failed probes, and a failed request before them. */
  readonly failures: number;
  /** Whether the last sign was a timeout, which needs more repetitions than a clear failure. */
  readonly isSilent: boolean;
  /**
   * Whether a successful request ends the doubt. A backend that responds wrongly to probes may still respond to
   * requests.
   */
  readonly endsWithTraffic: boolean;
}

export type ProbeFailure = {
  /** Silent: no response before the timeout. Refused: no exchange took place. */
  readonly kind: 'silent' | 'refused' | 'wrong-answer';
  readonly message: string;
};

export type Sign =
  /** A probe was successful. */
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly failure: ProbeFailure }
  /** The Service has no target. */
  | { readonly kind: 'nobody'; readonly problem: TargetProblem }
  /** A request got any response. */
  | { readonly kind: 'request-answered' }
  /** A request got no response. */
  | { readonly kind: 'request-failed' }
  /** This process serves the group version itself. */
  | { readonly kind: 'local' };

/** Upstream's messages. */
const PASSED = { status: 'True', reason: 'Passed', message: 'all checks passed' } as const;
const LOCAL = {
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
} as const;

/** One probe may get lost, and a second one may fall into the same pause of the server. */
export const SILENT_PROBES_MAX = 3;
/** A clear failure counts when a request or another probe failed before. */
const CLEAR_EVIDENCE_MAX = 2;
/** Informers are synced long before; until then the stored state is the best one. */
export const UNKNOWN_AFTER_MS = 10_000;

export function newHistory(nowMs: number, stored: AvailabilityState | undefined): ServerHistory {
  return { beganMs: nowMs, state: stored, isOwn: false, confirmedMs: nowMs, doubt: undefined };
}

export function decideAvailability(
  history: ServerHistory,
  sign: Sign,
  nowMs: number,
): ServerHistory {
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
  // The kind of the last failure decides the next delay.
  return { ...after, doubt: { ...next, failedProbes: SILENT_PROBES_MAX } };
}

function noTarget(history: ServerHistory, problem: TargetProblem, nowMs: number): ServerHistory {
  if (problem.status === 'Unknown' && nowMs - history.beganMs < UNKNOWN_AFTER_MS) return history;
  return found(history, { ...problem, nowMs, lastSuccessMs: undefined });
}

/** Does not change an unavailable server: only a probe can bring it back. */
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
