import type { Authorizer, Decision } from '../request/authorizer.ts';
import { pathMatcher } from './open-paths.ts';

interface DelegatedAuthorizerOptions {
  /** Decides the remaining requests. */
  readonly review: Authorizer;
  /** Members are allowed everything, also during an outage. Default: `system:masters`. */
  readonly groups?: readonly string[];
  /** Non-resource paths without authorization; a trailing `*` matches any suffix. */
  readonly paths: readonly string[];
}

/** Upstream's order: groups, paths, then a review. */
export function delegatedAuthorizer(options: DelegatedAuthorizerOptions): Authorizer {
  const groups = new Set(options.groups ?? ['system:masters']);
  const isOpen = pathMatcher(options.paths);
  return (request) => {
    const { user, info } = request;
    if (user.groups.some((group) => groups.has(group))) return { allowed: true };
    if (!info.isResourceRequest && isOpen(info.path)) return { allowed: true };
    const decision = options.review(request);
    return decision instanceof Promise ? decision.then(withName) : withName(decision);
  };
}

/** Upstream's union authorizer puts an authorizer's name before its reason for no opinion. */
function withName(decision: Decision): Decision {
  if (decision.allowed || decision.denied === true || !decision.reason) return decision;
  return { ...decision, reason: `kubernetes.io/webhook: ${decision.reason}` };
}
