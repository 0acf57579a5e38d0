/** One request and its answer, below everything that Kubernetes knows about. */

export type HeaderPairs = readonly (readonly [name: string, value: string])[];

export interface WireRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Lower-case names; a repeated name is a repeated line. */
  readonly headers: HeaderPairs;
  readonly body: Uint8Array | undefined;
  /** Ends the exchange at any time; its reason is what the waiting side gets. */
  readonly signal: AbortSignal;
  /** What errors call the request: `GET https://host:6443/api/v1/pods`. */
  readonly subject: string;
}

export interface Exchange {
  readonly status: number;
  readonly rawHeaders: HeaderPairs;
  readonly httpVersion: '1.1' | '2';
  /** Throws when the answer is cut short, and never passes a part off as the whole. A slow reader slows the server. */
  readonly body: AsyncIterable<Uint8Array>;
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
  /** Absent for clear text. Read for every new connection. */
  readonly tls: (() => Promise<TlsSettings>) | undefined;
}

export interface TlsSettings {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly serverName?: string;
  readonly insecureSkipVerify?: boolean;
}

export interface ConnectionLimits {
  /** TCP and TLS together. */
  readonly connectTimeoutMs: number;
  /** Sessions of HTTP/2, or connections of HTTP/1.1. */
  readonly connectionsMax: number;
  /** A connection with open requests is asked for a sign of life this often … */
  readonly pingIntervalMs: number;
  /** … and given up when none comes within this time. */
  readonly pingTimeoutMs: number;
  /** A connection without requests is closed after this time. */
  readonly idleTimeoutMs: number;
}

/** Several lines of one name become an array, which both protocols of Node write as several lines. */
export function outgoingHeaders(pairs: HeaderPairs): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of pairs) {
    const before = headers[name];
    if (before === undefined) headers[name] = value;
    else headers[name] = Array.isArray(before) ? [...before, value] : [before, value];
  }
  return headers;
}

/** Node's flat list of names and values, without the pseudo-headers of HTTP/2. */
export function headerPairs(flat: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < flat.length; index += 2) {
    const name = flat[index] ?? '';
    if (!name.startsWith(':')) pairs.push([name.toLowerCase(), flat[index + 1] ?? '']);
  }
  return pairs;
}
