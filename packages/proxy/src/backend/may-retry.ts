import { Readable } from 'node:stream';
import type { BackendFailure, BackendRequest, FailureHop } from './backend.ts';
import { isRequestsFault, wasReused } from './explain-failure.ts';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Nothing changes when the same process is asked again at once. */
const LASTING: ReadonlySet<FailureHop> = new Set(['dns', 'connect', 'tls', 'tls-name', 'ca']);

/** Where a request may be sent once more after a failure; nothing of an answer has come. */
export function mayRetry(
  request: BackendRequest,
  failure: BackendFailure,
): { readonly elsewhere: boolean; readonly sameTarget: boolean } {
  const { hop, maybeProcessed } = failure;
  if (isRequestsFault(failure) || !isUnread(request.body)) return NOWHERE;
  if (!maybeProcessed) return { elsewhere: true, sameTarget: !LASTING.has(hop) };
  if (!isRepeatable(request)) return NOWHERE;
  // A kept connection that the server closed meanwhile says nothing about the server.
  return { elsewhere: true, sameTarget: hop === 'reset' && wasReused(failure) };
}

/** Whether it does no harm when it is done twice. */
export function isRepeatable({ method, body }: BackendRequest): boolean {
  return READS.has(method) && body === undefined;
}

const NOWHERE = { elsewhere: false, sameTarget: false };

function isUnread(body: BackendRequest['body']): boolean {
  return !(body instanceof Readable) || (!body.readableDidRead && !body.destroyed);
}
