/** One request and its response, without any knowledge of Kubernetes. */
import type { Readable } from 'node:stream';
import type { PeerCertificate, SecureContext } from 'node:tls';
import type { Clock } from '../timing/clock.ts';

export type HeaderList = readonly (readonly [name: string, value: string])[];

/** A stream is sent as it arrives: with the Content-Length that a header states, otherwise chunked. */
export type RequestBody = Uint8Array | Readable;

export interface HttpRequest<Body extends RequestBody = Uint8Array> {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Lower-case names; a repeated name is a repeated header. */
  readonly headers: HeaderList;
  readonly body: Body | undefined;
  /** Ends the exchange at any time; pending calls reject with its reason. */
  readonly signal: AbortSignal;
  /** The request in error messages: `GET https://host:6443/api/v1/pods`. */
  readonly subject: string;
  /** Runs once for a request that was given to a connection, when it has completely ended. */
  readonly onEnd?: () => void;
  /** Called for interim responses, such as 103; never for 100 and 101. */
  readonly onInterim?: ((status: number, rawHeaders: HeaderList) => void) | undefined;
}

export interface Exchange {
  readonly status: number;
  readonly rawHeaders: HeaderList;
  readonly httpVersion: '1.1' | '2';
  /** Throws when the response is cut short, and never presents a part as the whole. A slow reader slows the server. */
  readonly body: AsyncIterable<Uint8Array>;
  /** The trailers, once the body was read to its end. */
  readonly trailers?: () => HeaderList;
  /** Ends the exchange; harmless when the response is complete. */
  cancel(): void;
}

/** The target of connections. */
export interface Endpoint {
  /** Name or address, without brackets. */
  readonly host: string;
  readonly port: number;
  /** As in the URL: `https://host:port`. */
  readonly origin: string;
  /** The `Host` of requests, when it is not that of the origin. */
  readonly authority?: string;
  /** Undefined for clear text. Called for every new connection. */
  readonly tls: (() => Promise<TlsSettings>) | undefined;
}

export interface TlsSettings {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly serverName?: string;
  readonly insecureSkipVerify?: boolean;
  /** In place of `ca`, `cert` and `key`: created once for many connections. */
  readonly secureContext?: SecureContext;
  /** In place of Node's comparison of the name with the certificate. */
  readonly checkIdentity?: (name: string, certificate: PeerCertificate) => Error | undefined;
}

export interface ConnectionLimits {
  /** For TCP, and for TLS too unless that has a timeout of its own. */
  readonly connectTimeoutMs: number;
  /** The maximum number of HTTP/2 sessions, or of HTTP/1.1 connections. */
  readonly connectionsMax: number;
  /** The interval of pings … */
  readonly pingIntervalMs: number;
  /** … and the time without a response after which the connection is closed. */
  readonly pingTimeoutMs: number;
  /** A connection without requests is closed after this time. */
  readonly idleTimeoutMs: number;
  /** The clock of pings and idle timeouts. The default does not keep the process alive. */
  readonly maintenanceClock?: Clock;
}

export interface PoolLimits extends ConnectionLimits {
  /** From the end of the TCP handshake. */
  readonly handshakeTimeoutMs?: number;
  /** The server ended an HTTP/2 connection, or it broke. */
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
