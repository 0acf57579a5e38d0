import type { Authorizer, Decision } from '../request/authorizer.ts';
import { openPaths } from './open-paths.ts';

export interface DelegatedAuthorizerOptions {
  /** Asked about everything else. */
  readonly review: Authorizer;
  /** Members may do everything, also while nobody can be asked. Default: `system:masters`. */
  readonly groups?: readonly string[];
  /** Paths that are open to everybody; one that ends with `*` is a beginning. Never resources. */
  readonly paths: readonly string[];
}

/** The order of upstream: groups, then paths, then a review. */
export function delegatedAuthorizer(options: DelegatedAuthorizerOptions): Authorizer {
  const groups = new Set(options.groups ?? ['system:masters']);
  const isOpen = openPaths(options.paths);
  return (request) => {
    const { user, info } = request;
    if (user.groups.some((group) => groups.has(group))) return { allowed: true };
    if (!info.isResourceRequest && isOpen(info.path)) return { allowed: true };
    const decision = options.review(request);
    return decision instanceof Promise ? decision.then(withName) : withName(decision);
  };
}

/** Upstream's combination of authorizers puts the name of one before its reason to have no opinion. */
function withName(decision: Decision): Decision {
  if (decision.allowed || decision.denied === true || !decision.reason) return decision;
  return { ...decision, reason: `kubernetes.io/webhook: ${decision.reason}` };
}
