import { aggregateTexts } from '@tributary/apimachinery';
import type { AccessRequest, Authorizer, Decision } from '@tributary/server';
import { FinalAuthorizerError } from '@tributary/server/delegation';
import { MASTERS_GROUP } from '../rbac/types.ts';

/** An authorizer with the name that precedes its reasons in a combined refusal. */
interface NamedAuthorizer {
  readonly name: string;
  readonly authorize: Authorizer;
}

/**
 * Calls authorizers in order until one allows or denies. Errors are ignored while a later one may still allow, and
 * thrown when none did. The result is a promise only when an authorizer returned one.
 */
export function unionAuthorizer(authorizers: readonly NamedAuthorizer[]): Authorizer {
  return (request) => decide(request, authorizers, { next: 0, reasons: [], errors: [] });
}

interface Progress {
  next: number;
  readonly reasons: string[];
  readonly errors: unknown[];
}

function decide(
  request: AccessRequest,
  authorizers: readonly NamedAuthorizer[],
  progress: Progress,
): Promise<Decision> | Decision {
  for (;;) {
    const authorizer = authorizers[progress.next];
    if (authorizer === undefined) return noDecision(progress);
    progress.next += 1;
    let decision: Promise<Decision> | Decision;
    try {
      decision = authorizer.authorize(request);
    } catch (error) {
      addError(error, progress);
      continue;
    }
    if (decision instanceof Promise) {
      return decideLater(decision, { request, authorizer, authorizers, progress });
    }
    if (isFinal(decision, authorizer, progress)) return decision;
  }
}

async function decideLater(
  pending: Promise<Decision>,
  { request, authorizer, authorizers, progress }: PendingDecision,
): Promise<Decision> {
  try {
    const decision = await pending;
    if (isFinal(decision, authorizer, progress)) return decision;
  } catch (error) {
    addError(error, progress);
  }
  return decide(request, authorizers, progress);
}

interface PendingDecision {
  readonly request: AccessRequest;
  readonly authorizer: NamedAuthorizer;
  readonly authorizers: readonly NamedAuthorizer[];
  readonly progress: Progress;
}

function isFinal(decision: Decision, { name }: NamedAuthorizer, { reasons }: Progress): boolean {
  if (decision.allowed || decision.denied === true) return true;
  if (decision.reason) reasons.push(`${name}: ${decision.reason}`);
  return false;
}

function addError(error: unknown, { errors }: Progress): void {
  if (error instanceof FinalAuthorizerError) throw error;
  errors.push(error);
}

function noDecision({ reasons, errors }: Progress): Decision {
  if (errors.length > 0) {
    const texts = errors.map((error) => (error instanceof Error ? error.message : String(error)));
    throw new Error(aggregateTexts(texts), { cause: errors.length === 1 ? errors[0] : errors });
  }
  return reasons.length === 0 ? { allowed: false } : { allowed: false, reason: reasons.join('\n') };
}

/** Allows everything to members, even when no role can be read. It is the first authorizer. */
export function privilegedGroups(groups: readonly string[] = [MASTERS_GROUP]): Authorizer {
  const privileged = new Set(groups);
  return ({ user }) => ({ allowed: user.groups.some((group) => privileged.has(group)) });
}
