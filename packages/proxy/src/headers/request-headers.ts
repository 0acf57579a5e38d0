import type { HeaderList } from '@tributary/client';
import { connectionHeaderNames, isHopByHopHeader } from '@tributary/client/http';
import type { ApiRequest } from '@tributary/server';
import type { Target } from '../backend/target.ts';
import { encodeHeaderValue } from './front-proxy-headers.ts';

export interface RequestLineOptions {
  /** Who asks; in place of everything that the client said of itself. */
  readonly identity: HeaderList;
  /** The connection leaves HTTP: what is said about it goes on, too. */
  readonly isUpgrade: boolean;
  /** Headers that carry an identity here, beside the usual ones; in lower case. */
  readonly isIdentityHeader: ((name: string) => boolean) | undefined;
}

/** What another server is told beside the request itself. */
export function requestLines(request: ApiRequest, options: RequestLineOptions): HeaderList {
  const { headers, context, peer } = request;
  const lines: [string, string][] = [];
  const named = connectionHeaderNames(headers.all('connection'));
  const isUnwanted = (name: string) =>
    isOurs(name) ||
    options.isIdentityHeader?.(name) ||
    (!options.isUpgrade && (isHopByHopHeader(name) || named.has(name)));
  for (const line of headers.lines()) if (!isUnwanted(line[0])) lines.push(line);
  // Whether the client wants trailers is about the answer, which is passed on with them.
  if (!options.isUpgrade && headers.all('te').some((value) => /\btrailers\b/i.test(value))) {
    lines.push(['te', 'trailers']);
  }
  for (const line of options.identity) lines.push([line[0], line[1]]);
  const client = clientAddress(peer.address);
  if (client !== '') {
    lines.push(['x-forwarded-for', [...headers.all('x-forwarded-for'), client].join(', ')]);
  }
  if (!options.isUpgrade) {
    lines.push(['x-forwarded-uri', cleanPath(request.path)], ['x-forwarded-proto', 'https']);
  }
  if (context !== undefined) lines.push(['audit-id', wireAuditId(headers, context.auditId)]);
  return lines;
}

/** Upstream tells a server its own address in this line, and servers have learned to expect that. */
export function forwardedHost({ host, port }: Target): HeaderList {
  const bracketed = host.includes(':') ? `[${host}]` : host;
  return [['x-forwarded-host', `${bracketed}:${port}`]];
}

const OURS = new Set([
  'host',
  'authorization',
  'x-remote-user',
  'x-remote-uid',
  'x-remote-group',
  'x-forwarded-uri',
  'x-forwarded-host',
  'x-forwarded-proto',
  'audit-id',
  'expect', // was answered on this connection already
]);

/** What is said by us alone, of every server; with the pseudo-headers of HTTP/2. */
function isOurs(name: string): boolean {
  return (
    OURS.has(name) ||
    name.startsWith(':') ||
    name.startsWith('x-remote-extra-') ||
    name.startsWith('impersonate-') ||
    name === 'x-forwarded-for'
  );
}

/** A client's own number came as bytes, which go on as they are. */
function wireAuditId(headers: ApiRequest['headers'], auditId: string): string {
  return headers.get('audit-id') === auditId ? auditId : encodeHeaderValue(auditId);
}

/** An address of IPv4 is written as one, also when it came by a socket of both kinds. */
function clientAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

function cleanPath(path: string): string {
  return path.includes('//') ? path.replace(/\/{2,}/g, '/') : path;
}
