import { serviceUnavailable } from '@tributary/apimachinery';
import type { Clock, HeaderList, Transport } from '@tributary/client';
import { hasImpersonationPrefix } from '@tributary/client/http';
import type { ApiRequest, UserInfo } from '@tributary/server';
import { certificatePool, clientCertificateAuthenticator } from '@tributary/server/auth';
import type { Access } from './access.ts';
import type { ClusterUser } from './cluster-user.ts';
import { selfReviewAuthorizer } from './self-review.ts';

export interface SingleUserOptions {
  /** The CA of the one credential. May change. */
  readonly ca: () => string;
  readonly user: Pick<ClusterUser, 'current' | 'problem'>;
  readonly transport: Pick<Transport, 'request'>;
  readonly clock: Clock;
}

/**
 * The aggregator of one user: a client with its one credential is the user of the kubeconfig, and all others are
 * refused. The cluster and the other servers authorize the user; only registrations are the user's own.
 */
export function singleUserAccess({ ca, user, transport, clock }: SingleUserOptions): Access {
  const pools = new Map<string, ReturnType<typeof certificatePool>>();
  const pool = () => {
    const bundle = ca();
    const known = pools.get(bundle) ?? certificatePool(bundle);
    if (!pools.has(bundle)) pools.clear();
    pools.set(bundle, known);
    return known;
  };
  const holder = clientCertificateAuthenticator({ pool, nowMs: () => clock.nowMs() });
  /** As they came: whom the user wants to be taken for, the cluster is asked as the user asked. */
  const subjects = new WeakMap<ApiRequest, HeaderList>();
  const mayImpersonate = selfReviewAuthorizer(transport, clock);
  return {
    config: {
      authenticator: async (request) => {
        const result = await holder(request);
        if (result.outcome !== 'authenticated') return result;
        const lines = [...request.headers.entries()].filter(([name]) =>
          hasImpersonationPrefix(name),
        );
        if (lines.length > 0) subjects.set(request, lines);
        return { outcome: 'authenticated', user: user.current ?? NOT_KNOWN };
      },
      authorizer: (request) =>
        request.info.verb.startsWith('impersonate') ? mayImpersonate(request) : { allowed: true },
    },
    subjectOf: (request) => subjects.get(request) ?? [],
    // The cluster authenticates its user; another server would have to trust this one.
    gate: (_registration, request) =>
      request.user === NOT_KNOWN ? (user.problem ?? notAskedYet()) : undefined,
  };
}

/** Has rights nowhere. */
const NOT_KNOWN: UserInfo = { name: 'tributary:not-known', uid: '', groups: [], extra: {} };
const RETRY_AFTER_SECONDS = 1;

function notAskedYet() {
  return serviceUnavailable('the cluster was not asked yet who you are', RETRY_AFTER_SECONDS);
}
