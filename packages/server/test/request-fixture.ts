import { Readable } from 'node:stream';
import { parseQuery } from '@tributary/apimachinery';
import { anonymous } from '../src/request/authenticator.ts';
import { Cancellation } from '../src/request/cancellation.ts';
import type { MutableRequest } from '../src/request/request-context.ts';
import { RequestHeaders } from '../src/request/request-headers.ts';
import { parseRequestInfo } from '../src/request/request-info.ts';
import { Warnings } from '../src/request/warnings.ts';

/** A request as the edge makes it, for handlers that are called without a port. */
export function requestFor(
  target: string,
  given: Partial<MutableRequest> & { headerLines?: readonly string[]; json?: unknown } = {},
): MutableRequest {
  const { headerLines = [], json, ...more } = given;
  const [path = '', queryText = ''] = target.split('?');
  const query = parseQuery(queryText);
  const method = more.method ?? 'GET';
  const bytes = json === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(json));
  return {
    method,
    path,
    query,
    headers: new RequestHeaders(headerLines),
    peer: { address: '127.0.0.1', certificate: undefined },
    info: parseRequestInfo(method, path, query),
    user: anonymous,
    warnings: new Warnings(),
    cancellation: new Cancellation(),
    body: async () => bytes,
    bodyStream: () => Readable.from([bytes]),
    ...more,
  };
}
