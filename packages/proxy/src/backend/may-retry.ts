import { Readable } from 'node:stream';
import type { BackendFailure, BackendRequest, FailureHop } from './backend.ts';
import { isRequestsFault, wasReused } from './explain-failure.ts';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** A retry at the same target would fail again at once. */
const LASTING: ReadonlySet<FailureHop> = new Set(['dns', 'connect', 'tls', 'tls-name', 'ca']);

/** The targets that a request may be sent to once more after a failure without a response. */
export function mayRetry(
  request: BackendRequest,
  failure: BackendFailure,
): { readonly elsewhere: boolean; readonly sameTarget: boolean } {
  const { hop, maybeProcessed } = failure;
  if (isRequestsFault(failure) || !isUnread(request.body)) return NOWHERE;
  if (!maybeProcessed) return { elsewhere: true, sameTarget: !LASTING.has(hop) };
  if (!isRepeatable(request)) return NOWHERE;
  // A kept connection that the server closed is no evidence about the server.
  return { elsewhere: true, sameTarget: hop === 'reset' && wasReused(failure) };
}

/** Whether processing the request twice has no effect. */
export function isRepeatable({ method, body }: BackendRequest): boolean {
  return READS.has(method) && body === undefined;
}

const NOWHERE = { elsewhere: false, sameTarget: false };

function isUnread(body: BackendRequest['body']): boolean {
  return !(body instanceof Readable) || (!body.readableDidRead && !body.destroyed);
}
