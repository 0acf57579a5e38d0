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

/** Says when a condition was written and came to be what it is, where the writer does not. It changes `next`. */
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

/** Who issues does not decide: what was decided stays, unless there would be more or less of it. It changes `next`. */
export function keepDecisions(
  next: CertificateSigningRequest,
  live: CertificateSigningRequest,
): void {
  for (const type of ['Approved', 'Denied']) {
    const decided = conditionsOf(live, type);
    if (decided.length === 0 || decided.length !== conditionsOf(next, type).length) continue;
    const kept = decided.values();
    const conditions = conditionsOf(next).map((one) =>
      one.type === type ? (kept.next().value ?? one) : one,
    );
    next.status = { ...next.status, conditions };
  }
}
