import type { HeaderList } from '@tributary/client';
import {
  connectionHeaderNames,
  isHopByHopHeader,
  isSingleValueHeader,
} from '@tributary/client/http';

/** Those that upstream takes out; a browser does nothing with the others when it misses these. */
const FOR_OTHER_ORIGINS = new Set(
  ['credentials', 'headers', 'methods', 'origin'].map((what) => `access-control-allow-${what}`),
);

/**
 * What a client hears of another server's answer: nothing about the connection between us and that server, and nothing
 * about pages of other origins, which is for the server that browsers talk to.
 */
export function responseHeaders(headers: HeaderList): [string, string][] {
  const named = connectionHeaderNames(headerValues(headers, 'connection'));
  const lines: [string, string][] = [];
  const seen = new Set<string>();
  for (const [name, value] of headers) {
    if (isHopByHopHeader(name) || named.has(name) || FOR_OTHER_ORIGINS.has(name)) continue;
    if (isSingleValueHeader(name)) {
      if (seen.has(name)) continue;
      seen.add(name);
    }
    lines.push([name, value]);
  }
  return lines;
}

export function headerValue(headers: HeaderList, name: string): string | undefined {
  for (const [candidate, value] of headers) if (candidate === name) return value;
  return undefined;
}

export function headerValues(headers: HeaderList, name: string): string[] {
  const values: string[] = [];
  for (const [candidate, value] of headers) if (candidate === name) values.push(value);
  return values;
}
