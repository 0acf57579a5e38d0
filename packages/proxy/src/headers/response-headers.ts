import type { HeaderList } from '@tributary/client';
import {
  connectionHeaderNames,
  isHopByHopHeader,
  isSingleValueHeader,
} from '@tributary/client/http';

/** Those that upstream removes; without them a browser ignores the other CORS headers. */
const CORS: ReadonlySet<string> = new Set(
  ['credentials', 'headers', 'methods', 'origin'].map((name) => `access-control-allow-${name}`),
);

/**
 * The headers of a backend's response for the client: none of the connection to the backend, and no CORS headers, which
 * are for the server that browsers connect to.
 */
export function responseHeaders(headers: HeaderList): [string, string][] {
  const named = connectionHeaderNames(headerValues(headers, 'connection'));
  const sent: [string, string][] = [];
  const seen = new Set<string>();
  for (const [name, value] of headers) {
    if (isHopByHopHeader(name) || named.has(name) || CORS.has(name)) continue;
    if (isSingleValueHeader(name)) {
      if (seen.has(name)) continue;
      seen.add(name);
    }
    sent.push([name, value]);
  }
  return sent;
}

export function headerValue(headers: HeaderList, name: string): string | undefined {
  for (const [candidate, value] of headers) if (candidate === name) return value;
  return undefined;
}

function headerValues(headers: HeaderList, name: string): string[] {
  const values: string[] = [];
  for (const [candidate, value] of headers) if (candidate === name) values.push(value);
  return values;
}
