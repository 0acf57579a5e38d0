import type { StatusError } from '@tributary/apimachinery';
import type { AccessRequest, Authorizer } from '../request/authorizer.ts';
import type { UserInfo } from '../request/pipeline.ts';
import { AllowedCache, type CacheKeys, cacheKeys } from './impersonation-cache.ts';
import { identityRefusal, refusal } from './impersonation-checks.ts';
import {
  completeUser,
  isOnlyName,
  nodeOf,
  runsOnNode,
  serviceAccountOf,
} from './impersonation-users.ts';

export interface Impersonated {
  readonly user: UserInfo;
  /** The verb that allowed it; empty for the legacy mode. */
  readonly constraint: string;
}

export interface Attempt {
  readonly wanted: UserInfo;
  /** The original request with its authenticated user. */
  readonly access: AccessRequest;
  readonly keys: CacheKeys;
}

/** Undefined: this mode does not apply to the user. */
type ModeOutcome = Impersonated | StatusError | undefined;

export interface Mode {
  readonly name: string;
  readonly check: (attempt: Attempt) => Promise<ModeOutcome>;
}

/** Modes in order: the narrowest permission first. */
export function impersonationModes(authorize: Authorizer, nowMs: () => number): readonly Mode[] {
  const constrained = (name: string, applies: Applies) =>
    constrainedMode({ name, applies, authorize, nowMs });
  return [
    associatedNode(authorize, nowMs),
    constrained(
      'arbitrary-node',
      (wanted) => isOnlyName(wanted) && nodeOf(wanted.name) !== undefined,
    ),
    constrained(
      'serviceaccount',
      (wanted) => isOnlyName(wanted) && serviceAccountOf(wanted.name) !== undefined,
    ),
    constrained(
      'user-info',
      ({ name }) => nodeOf(name) === undefined && serviceAccountOf(name) === undefined,
    ),
    legacyMode(authorize),
  ];
}

/** Unconstrained impersonation, which is not cached. */
function legacyMode(authorize: Authorizer): Mode {
  const checks = { authorize, verb: 'impersonate', isConstrained: false };
  return {
    name: 'legacy',
    async check({ wanted, access }) {
      const refused = await identityRefusal(checks, wanted, access);
      return refused ?? { user: completeUser(wanted, false), constraint: '' };
    },
  };
}

type Applies = (wanted: UserInfo, requestor: UserInfo) => boolean;

interface ConstrainedOptions {
  readonly name: string;
  readonly applies: Applies;
  readonly authorize: Authorizer;
  readonly nowMs: () => number;
  readonly nodeName?: string;
}

/** Requires two permissions: to impersonate the identity, and to perform this request with it. */
function constrainedMode(options: ConstrainedOptions): Mode {
  const { name, applies, authorize, nowMs, nodeName } = options;
  const verb = `impersonate:${name}`;
  const checks = { authorize, verb, isConstrained: true, ...(nodeName && { nodeName }) };
  const requests = new AllowedCache<Impersonated>(nowMs);
  const users = new AllowedCache<Impersonated>(nowMs);

  const asUser = async ({ wanted, access, keys }: Attempt): Promise<Impersonated | StatusError> => {
    const known = users.get(keys.users());
    if (known !== undefined) return known;
    const refused = await identityRefusal(checks, wanted, access);
    if (refused !== undefined) return refused;
    const allowed = { user: completeUser(wanted, true), constraint: verb };
    users.set(keys.users(), allowed);
    return allowed;
  };

  return {
    name,
    async check(attempt) {
      const { wanted, access, keys } = attempt;
      // Before the cache lookup: a key may cover more users than the mode does.
      if (!applies(wanted, access.user)) return undefined;
      const known = requests.get(keys.request());
      if (known !== undefined) return known;
      const refused = await refusal(authorize, onRequest(name, access));
      if (refused !== undefined) return refused;
      const outcome = await asUser(attempt);
      if ('user' in outcome) requests.set(keys.request(), outcome);
      return outcome;
    },
  };
}

function onRequest(mode: string, access: AccessRequest): AccessRequest {
  const { user, info, cancellation } = access;
  const verb = `impersonate-on:${mode}:${info.verb}`;
  return { user, info: { ...info, verb }, ...(cancellation && { cancellation }) };
}

/**
 * A service account as the node of its pod. One account runs on every node of a cluster, so permissions are checked
 * without the node's name, and a cached result counts for all nodes.
 */
function associatedNode(authorize: Authorizer, nowMs: () => number): Mode {
  const mode = constrainedMode({
    name: 'associated-node',
    applies: () => true, // checked below, with everything that is known of the account
    authorize,
    nowMs,
    nodeName: '*',
  });
  const anyNode: UserInfo = { name: 'system:node:*', uid: '', groups: [], extra: {} };
  return {
    name: mode.name,
    async check({ wanted, access }) {
      if (!isOnlyName(wanted) || !runsOnNode(access.user, wanted.name)) return undefined;
      const user = withoutNode(access.user);
      const keys = cacheKeys(anyNode, user, access.info);
      const outcome = await mode.check({ wanted, access: { ...access, user }, keys });
      if (outcome === undefined || !('user' in outcome)) return outcome;
      // A cached result may have been for another node.
      return { ...outcome, user: { ...outcome.user, name: wanted.name } };
    },
  };
}

/** Only the keys of the account's extra remain, not their values. */
function withoutNode(user: UserInfo): UserInfo {
  const keys = Object.keys(user.extra).sort();
  return { ...user, extra: { 'authentication.kubernetes.io/associated-node-keys': keys } };
}
