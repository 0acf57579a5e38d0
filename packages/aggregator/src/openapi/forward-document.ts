/** Forwards requests for documents that exceed the cache to their backend. */
import { plainError } from '@tributary/apimachinery';
import { BackendFailure, type Backends } from '@tributary/proxy';
import type { ApiRequest, ApiResponse } from '@tributary/server';
import type { Availability } from '../availability/availability.ts';
import { unavailable, unreachable } from '../proxy/failures.ts';
import { headersOf } from './fetch-document.ts';
import { keyOf } from './fetch-server-documents.ts';
import type { PolledServer } from './poll-server.ts';

const PASSED_HEADERS: ReadonlySet<string> = new Set([
  'content-type',
  'content-length',
  'etag',
  'last-modified',
  'vary',
]);

export async function forwardDocument(
  request: ApiRequest,
  { registration }: PolledServer,
  {
    backends,
    availability,
  }: { backends: Pick<Backends, 'of'>; availability: Pick<Availability, 'refusal'> },
): Promise<ApiResponse> {
  const refusal = availability.refusal(registration.name);
  if (refusal !== undefined) throw unavailable(registration, refusal);
  const accept = request.headers.joined('accept') || 'application/json';
  try {
    const response = await backends.of(registration).send({
      method: 'GET',
      // Without the hash: a backend redirects a request with another one.
      path: `/openapi/v3/${keyOf(registration)}`,
      headers: headersOf({ accept, etag: request.headers.get('if-none-match') }),
      body: undefined,
      signal: request.cancellation.signal,
      use: 'request',
    });
    if (response.status >= 300 && response.status !== 304 && response.status < 400) {
      response.cancel();
      throw plainError(
        'the backend attempted to redirect this request, which is not permitted',
        502,
      );
    }
    const headers = response.headers.filter(([name]) => PASSED_HEADERS.has(name));
    return { kind: 'proxied', code: response.status, headers, chunks: response.body };
  } catch (error) {
    throw error instanceof BackendFailure ? unreachable(registration, error) : error;
  }
}
