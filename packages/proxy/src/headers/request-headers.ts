import type { HeaderList } from '@tributary/client';
import {
  connectionHeaderNames,
  hasImpersonationPrefix,
  isHopByHopHeader,
  isIdentityHeader,
} from '@tributary/client/http';
import type { ApiRequest } from '@tributary/server';
import type { Target } from '../backend/target.ts';
import { encodeHeaderValue } from './front-proxy-headers.ts';

export interface RequestHeaderOptions {
  /** The connection leaves HTTP: its hop-by-hop headers are forwarded. */
  readonly isUpgrade: boolean;
  /** The user of the request, in place of all identity headers that the client sent. */
  readonly identity?: HeaderList;
  /** Identity headers that only this server has, beside the usual ones; names are in lower case. */
  readonly isIdentityHeader?: ((name: string) => boolean) | undefined;
  /** Replaces `X-Forwarded-*`; absent: those of the client are forwarded. */
  readonly forwarded?: { readonly host?: string };
  /** Sends the audit ID of the request in place of the client's. */
  readonly sendsAuditId?: boolean;
}

/** The headers of a request for a backend: none of the client's connection, and none of its identity. */
export function requestHeaders(request: ApiRequest, options: RequestHeaderOptions): HeaderList {
  const { headers, context } = request;
  const { isUpgrade, identity = [], forwarded, sendsAuditId = false } = options;
  const named = connectionHeaderNames(headers.all('connection'));
  const isRemoved = (name: string) =>
    REPLACED.has(name) ||
    name.startsWith(':') ||
    isIdentityHeader(name) ||
    hasImpersonationPrefix(name) ||
    options.isIdentityHeader?.(name) ||
    (forwarded !== undefined && FORWARDED.has(name)) ||
    (sendsAuditId && name === 'audit-id') ||
    (!isUpgrade && (isHopByHopHeader(name) || named.has(name)));
  const sent: (readonly [string, string])[] = [];
  for (const header of headers.entries()) if (!isRemoved(header[0])) sent.push(header);
  // The response is forwarded with its trailers, so the client's wish for them is not about one connection.
  if (!isUpgrade && headers.all('te').some((value) => /\btrailers\b/i.test(value))) {
    sent.push(['te', 'trailers']);
  }
  for (const [name, value] of identity) sent.push([name, value]);
  if (forwarded !== undefined) sent.push(...forwardedHeaders(request, isUpgrade, forwarded.host));
  if (sendsAuditId && context !== undefined) {
    sent.push(['audit-id', encodeAuditId(headers, context.auditId)]);
  }
  return sent;
}

/** The connection to the backend has its own host, and `Expect` was answered on that of the client. */
const REPLACED: ReadonlySet<string> = new Set(['host', 'expect']);

const FORWARDED: ReadonlySet<string> = new Set([
  'x-forwarded-for',
  'x-forwarded-uri',
  'x-forwarded-host',
  'x-forwarded-proto',
]);

/** As upstream, an upgrade has only the addresses. */
function* forwardedHeaders(
  { headers, peer, path }: ApiRequest,
  isUpgrade: boolean,
  host: string | undefined,
): Generator<readonly [string, string]> {
  const client = clientAddress(peer.address);
  if (client !== '') {
    yield ['x-forwarded-for', [...headers.all('x-forwarded-for'), client].join(', ')];
  }
  if (isUpgrade) return;
  yield ['x-forwarded-uri', cleanPath(path)];
  if (host !== undefined) yield ['x-forwarded-host', host];
  yield ['x-forwarded-proto', 'https'];
}

/** Upstream sends an extension API server its own address in this header, and such servers expect that. */
export function forwardedHost({ host, port }: Target): HeaderList {
  const bracketed = host.includes(':') ? `[${host}]` : host;
  return [['x-forwarded-host', `${bracketed}:${port}`]];
}

/** An audit ID that the client sent is bytes already. */
function encodeAuditId(headers: ApiRequest['headers'], auditId: string): string {
  return headers.get('audit-id') === auditId ? auditId : encodeHeaderValue(auditId);
}

/** Removes the IPv6 prefix of an IPv4 address from a dual-stack socket. */
function clientAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

function cleanPath(path: string): string {
  return path.includes('//') ? path.replace(/\/{2,}/g, '/') : path;
}
