import { aggregateTexts } from '@tributary/apimachinery';
import type { AccessRequest, Authorizer, Decision } from '@tributary/server';
import { FinalAuthorizerError } from '@tributary/server/parts';

/**
 * Asks one after the other until somebody allows or forbids. Outages are passed over while somebody else may still
 * allow, and thrown when nobody did. Without promises as long as nobody makes one.
 */
export function unionAuthorizer(authorizers: readonly Authorizer[]): Authorizer {
  return (request) => decide(request, authorizers, { next: 0, reasons: [], errors: [] });
}

interface Progress {
  next: number;
  readonly reasons: string[];
  readonly errors: unknown[];
}

function decide(
  request: AccessRequest,
  authorizers: readonly Authorizer[],
  progress: Progress,
): Promise<Decision> | Decision {
  for (;;) {
    const authorizer = authorizers[progress.next];
    if (authorizer === undefined) return nobodyDecided(progress);
    progress.next += 1;
    let answer: Promise<Decision> | Decision;
    try {
      answer = authorizer(request);
    } catch (error) {
      noteError(error, progress);
      continue;
    }
    if (answer instanceof Promise) return decideLater(answer, { request, authorizers, progress });
    if (isFinal(answer, progress)) return answer;
  }
}

async function decideLater(
  answer: Promise<Decision>,
  { request, authorizers, progress }: Rest,
): Promise<Decision> {
  try {
    const decision = await answer;
    if (isFinal(decision, progress)) return decision;
  } catch (error) {
    noteError(error, progress);
  }
  return decide(request, authorizers, progress);
}

interface Rest {
  readonly request: AccessRequest;
  readonly authorizers: readonly Authorizer[];
  readonly progress: Progress;
}

function isFinal(decision: Decision, { reasons }: Progress): boolean {
  if (decision.allowed || decision.denied === true) return true;
  if (decision.reason) reasons.push(decision.reason);
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
