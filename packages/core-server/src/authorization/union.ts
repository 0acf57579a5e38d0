import { aggregateTexts } from '@tributary/apimachinery';
import type { AccessRequest, Authorizer, Decision } from '@tributary/server';
import { FinalAuthorizerError } from '@tributary/server/delegation';

/** An authorizer with the name that precedes its reasons in a combined refusal. */
interface NamedAuthorizer {
  readonly name: string;
  readonly authorize: Authorizer;
}

/**
 * Asks authorizers in order until one allows or denies. Errors are ignored while a later one may still allow, and thrown
 * when none did. The result is a promise only when an authorizer returned one.
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
    if (authorizer === undefined) return nobodyDecided(progress);
    progress.next += 1;
    let answer: Promise<Decision> | Decision;
    try {
      answer = authorizer.authorize(request);
    } catch (error) {
      noteError(error, progress);
      continue;
    }
    if (answer instanceof Promise) {
      return decideLater(answer, { request, authorizer, authorizers, progress });
    }
    if (isFinal(answer, authorizer, progress)) return answer;
  }
}

async function decideLater(
  answer: Promise<Decision>,
  { request, authorizer, authorizers, progress }: Rest,
): Promise<Decision> {
  try {
    const decision = await answer;
    if (isFinal(decision, authorizer, progress)) return decision;
  } catch (error) {
    noteError(error, progress);
  }
  return decide(request, authorizers, progress);
}

interface Rest {
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

function noteError(error: unknown, { errors }: Progress): void {
  if (error instanceof FinalAuthorizerError) throw error;
  errors.push(error);
}

function nobodyDecided({ reasons, errors }: Progress): Decision {
  if (errors.length > 0) {
    const texts = errors.map((error) => (error instanceof Error ? error.message : String(error)));
    throw new Error(aggregateTexts(texts), { cause: errors.length === 1 ? errors[0] : errors });
  }
  return reasons.length === 0 ? { allowed: false } : { allowed: false, reason: reasons.join('\n') };
}
