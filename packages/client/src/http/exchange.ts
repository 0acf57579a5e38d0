/** One request and its answer, below everything that Kubernetes knows about. */
import type { Readable } from 'node:stream';
import type { PeerCertificate, SecureContext } from 'node:tls';
import type { Clock } from '../timing/clock.ts';

export type HeaderList = readonly (readonly [name: string, value: string])[];

/** A stream is sent as it comes: as one of the length that a header states, otherwise in pieces. */
export type RequestBody = Uint8Array | Readable;

export interface HttpRequest<Body extends RequestBody = Uint8Array> {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Lower-case names; a repeated name is a repeated line. */
  readonly headers: HeaderList;
  readonly body: Body | undefined;
  /** Ends the exchange at any time; its reason is what the waiting side gets. */
  readonly signal: AbortSignal;
  /** What errors call the request: `GET https://host:6443/api/v1/pods`. */
  readonly subject: string;
  /** Runs once for a request that was given to a connection, when nothing of it is under way any more. */
  readonly onEnd?: () => void;
  /** Told of answers before the answer, such as 103; never of 100 and 101. */
  readonly onInterim?: ((status: number, rawHeaders: HeaderList) => void) | undefined;
}

export interface Exchange {
  readonly status: number;
  readonly rawHeaders: HeaderList;
  readonly httpVersion: '1.1' | '2';
  /** Throws when the answer is cut short, and never passes a part off as the whole. A slow reader slows the server. */
  readonly body: AsyncIterable<Uint8Array>;
  /** What followed the body, once that was read to its end. */
  readonly trailers?: () => HeaderList;
  /** Leaves; harmless when the answer is complete. */
  cancel(): void;
}

/** Where connections lead to. */
export interface Endpoint {
  /** Name or address, without brackets. */
  readonly host: string;
  readonly port: number;
  /** As in the URL: `https://host:port`. */
  readonly origin: string;
  /** The `Host` of requests, when it is not that of the origin. */
  readonly authority?: string;
  /** Absent for clear text. Read for every new connection. */
  readonly tls: (() => Promise<TlsSettings>) | undefined;
}

export interface TlsSettings {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly serverName?: string;
  readonly insecureSkipVerify?: boolean;
  /** In place of `ca`, `cert` and `key`: made once for many connections. */
  readonly secureContext?: SecureContext;
  /** In place of Node's comparison of the name with the certificate. */
  readonly checkIdentity?: (name: string, certificate: PeerCertificate) => Error | undefined;
}

export interface ConnectionLimits {
  /** TCP, and TLS with it unless that has a time of its own. */
  readonly connectTimeoutMs: number;
  /** Sessions of HTTP/2, or connections of HTTP/1.1. */
  readonly connectionsMax: number;
  /** A connection with open requests is asked for a sign of life this often … */
  readonly pingIntervalMs: number;
  /** … and given up when none comes within this time. */
  readonly pingTimeoutMs: number;
  /** A connection without requests is closed after this time. */
  readonly idleTimeoutMs: number;
  /** Of pings and of the time without requests. The default keeps no process alive. */
  readonly upkeepClock?: Clock;
}

export interface PoolLimits extends ConnectionLimits {
  /** From the end of the TCP handshake. */
  readonly handshakeTimeoutMs?: number;
  /** A connection of HTTP/2 was ended by the server, or broke. */
  readonly onLost?: () => void;
}

/** Node's flat list of names and values, without the pseudo-headers of HTTP/2. */
export function headerList(flat: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < flat.length; index += 2) {
    const name = flat[index] ?? '';
    if (!name.startsWith(':')) pairs.push([name.toLowerCase(), flat[index + 1] ?? '']);
  }
  return pairs;
}

export function hasHeader(pairs: HeaderList, name: string): boolean {
  for (const pair of pairs) if (pair[0] === name) return true;
  return false;
}

export function authorityOf({ authority, origin }: Endpoint): string {
  return authority ?? new URL(origin).host;
}
