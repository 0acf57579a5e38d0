import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from '@tributary/api/certificates-v1';
import { formatTime } from '@tributary/apimachinery';

export function conditionsOf(
  { status }: CertificateSigningRequest,
  type?: string,
): CertificateSigningRequestCondition[] {
  const conditions = status?.conditions ?? [];
  return type === undefined ? conditions : conditions.filter((one) => one.type === type);
}

/** Sets missing times of conditions in `next`. */
export function fillTimes(
  next: CertificateSigningRequest,
  live: CertificateSigningRequest,
  nowMs: number,
): void {
  const now = formatTime(nowMs);
  for (const condition of conditionsOf(next)) {
    condition.lastUpdateTime ??= now;
    condition.lastTransitionTime ??=
      conditionsOf(live, condition.type).find(
        ({ status, lastTransitionTime }) => status === condition.status && lastTransitionTime,
      )?.lastTransitionTime ?? now;
  }
}

/**
 * A status update cannot change the approval: the stored conditions stay, unless their number changes. Changes `next`.
 */
export function restoreApproval(
  next: CertificateSigningRequest,
  live: CertificateSigningRequest,
): void {
  for (const type of ['Approved', 'Denied']) {
    const decided = conditionsOf(live, type);
    if (decided.length === 0 || decided.length !== conditionsOf(next, type).length) continue;
    const stored = decided.values();
    const conditions = conditionsOf(next).map((one) =>
      one.type === type ? (stored.next().value ?? one) : one,
    );
    next.status = { ...next.status, conditions };
  }
}
