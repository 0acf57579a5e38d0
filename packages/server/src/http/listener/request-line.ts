/** Validity of a request in HTTP itself, before anything of Kubernetes. */
import type { IncomingMessage } from 'node:http';
import { badRequest, plainError, type StatusError } from '@tributary/apimachinery';

const ABSOLUTE_FORM = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*(.*)$/i;

/** Path and query of a request target, which may be a whole URL, or the authority of a CONNECT, which has no path. */
export function originForm(method: string, target: string): string {
  if (target.startsWith('/')) return target;
  const absolute = ABSOLUTE_FORM.exec(target);
  if (absolute !== null) return absolute[1] ?? '';
  return method === 'CONNECT' ? '' : target;
}

/** The bytes that Go accepts in a Host header. */
const HOST = /^[!$%&'()*+,\-./0-9:;=A-Z[\]_a-z~]*$/;

/** Go's error for an invalid HTTP/1.1 request. */
export function requestProblem({
  httpVersionMajor,
  rawHeaders,
}: Pick<IncomingMessage, 'httpVersionMajor' | 'rawHeaders'>): StatusError | undefined {
  if (httpVersionMajor < 1) return badRequest('malformed HTTP version');
  if (httpVersionMajor > 1) return plainError('unsupported protocol version', 505);
  let hosts = 0;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length !== 4 || name.toLowerCase() !== 'host') continue;
    hosts += 1;
    if (hosts > 1) return badRequest('too many Host headers');
    if (!HOST.test(rawHeaders[at + 1] ?? '')) return badRequest('malformed Host header');
  }
  return undefined;
}
