import type { APIServiceCondition } from '@tributary/api/apiregistration-v1';
import { formatTime, parseTime } from '@tributary/apimachinery';
import type { AvailabilityState } from './availability.ts';

const AVAILABLE = 'Available';

export type Finding = Pick<AvailabilityState, 'status' | 'reason' | 'message'>;
type Conditions = readonly APIServiceCondition[] | undefined;

function availableCondition(conditions: Conditions): APIServiceCondition | undefined {
  return conditions?.find(({ type }) => type === AVAILABLE);
}

export function findingOf(conditions: Conditions): Finding | undefined {
  const condition = availableCondition(conditions);
  const status = STATUSES.find((one) => one === condition?.status);
  if (condition === undefined || status === undefined) return undefined;
  const { reason = '', message = '' } = condition;
  return { status, reason, message };
}

export function isSameFinding(a: Finding | undefined, b: Finding | undefined): boolean {
  return a?.status === b?.status && a?.reason === b?.reason && a?.message === b?.message;
}

/** As upstream: other condition types stay, and the time is that of the last change of status. */
export function withFinding(
  conditions: Conditions,
  { status, reason, message }: Finding,
  nowMs: number,
): APIServiceCondition[] {
  const before = availableCondition(conditions);
  const lastTransitionTime =
    before?.status === status ? before.lastTransitionTime : formatTime(nowMs);
  const next: APIServiceCondition = {
    type: AVAILABLE,
    status,
    lastTransitionTime,
    reason,
    message,
  };
  if (before === undefined) return [...(conditions ?? []), next];
  return (conditions ?? []).map((one) => (one === before ? next : one));
}

/** The stored condition; undefined when it is absent or invalid. */
export function storedState(conditions: Conditions, nowMs: number): AvailabilityState | undefined {
  const finding = findingOf(conditions);
  if (finding === undefined) return undefined;
  const time = availableCondition(conditions)?.lastTransitionTime ?? '';
  const since = parseTime(time);
  return { ...finding, sinceMs: since.ok ? since.milliseconds : nowMs, lastSuccessMs: undefined };
}

const STATUSES = ['True', 'False', 'Unknown'] as const;
