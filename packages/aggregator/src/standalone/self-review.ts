/** The permissions of the user of a kubeconfig, decided by the cluster. */
import type { Clock, Transport } from '@tributary/client';
import type { AccessInfo, Authorizer, Decision } from '@tributary/server';
import { ExpiringCache } from '@tributary/server/delegation';

const PATH = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const REVIEW_TTL_MS = 10_000;
const REVIEWS_MAX = 1_024;
const TIMEOUT_MS = 10_000;

/** Reviews resources; paths are never impersonated. */
export function selfReviewAuthorizer(
  transport: Pick<Transport, 'request'>,
  clock: Clock,
): Authorizer {
  const known = new ExpiringCache<Decision>({ entriesMax: REVIEWS_MAX, nowMs: clock.nowMs });
  return async ({ info, cancellation }) => {
    const question = JSON.stringify(reviewOf(info));
    const before = known.get(question);
    if (before !== undefined) return before;
    const { body } = await transport.request('POST', PATH, {
      body: question,
      headers: { 'content-type': 'application/json' },
      headersTimeoutMs: TIMEOUT_MS,
      ...(cancellation && { signal: cancellation.signal }),
    });
    const decision = readDecision(JSON.parse(body.toString('utf8')));
    known.set(question, decision, REVIEW_TTL_MS);
    return decision;
  };
}

function reviewOf({ verb, group, version, resource, subresource, name, namespace }: AccessInfo) {
  return {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: {
      resourceAttributes: { namespace, verb, group, version, resource, subresource, name },
    },
  };
}

/** Everything that is no clear yes is a no. */
export function readDecision(review: unknown): Decision {
  const { status } = (review ?? {}) as {
    readonly status?: { allowed?: unknown; reason?: unknown };
  };
  if (status?.allowed === true) return { allowed: true };
  return {
    allowed: false,
    ...(typeof status?.reason === 'string' && status.reason !== '' && { reason: status.reason }),
  };
}
