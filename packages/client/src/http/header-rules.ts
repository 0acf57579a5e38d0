/**
 * The header names and values that Node writes, for responses that are forwarded. Node throws for anything else, in
 * whatever event wrote it: this is the only place that knows the rules, and a test compares them with Node's own.
 */

/** An HTTP token, as Node's `checkIsHttpToken`. */
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** As Node's `checkInvalidHeaderChar`. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

export function isHeaderName(name: string): boolean {
  return NAME.test(name);
}

export function isHeaderValue(value: string): boolean {
  return VALUE.test(value);
}

/** HTTP/2 has none of these (RFC 9113, 8.2.2), and Node throws for them. */
const CONNECTION_SPECIFIC: ReadonlySet<string> = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

/** Headers of one connection that end with it (RFC 9110, 7.6.1), with those that old programs send. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  ...CONNECTION_SPECIFIC,
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
]);

export function isHopByHopHeader(name: string): boolean {
  return HOP_BY_HOP.has(name);
}

const NONE: ReadonlySet<string> = new Set();

/** Names that the values of `Connection` add to the hop-by-hop headers. */
export function connectionHeaderNames(values: readonly string[]): ReadonlySet<string> {
  if (values.length === 0) return NONE;
  const names = values.flatMap((value) => value.split(','));
  return new Set(names.map((name) => name.trim().toLowerCase()));
}

/** Headers that Node sends only once over HTTP/2, and throws for when there are two. */
const SINGLE_VALUE: ReadonlySet<string> = new Set([
  'access-control-allow-credentials',
  'access-control-max-age',
  'access-control-request-method',
  'age',
  'authorization',
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-md5',
  'content-range',
  'content-type',
  'date',
  'dnt',
  'etag',
  'expires',
  'from',
  'host',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'last-modified',
  'location',
  'max-forwards',
  'proxy-authorization',
  'range',
  'referer',
  'retry-after',
  'tk',
  'upgrade-insecure-requests',
  'user-agent',
  'x-content-type-options',
]);

export function isSingleValueHeader(name: string): boolean {
  return SINGLE_VALUE.has(name);
}

/** Whether HTTP/2 can carry the header; the name is in lower case. */
export function isHttp2Header(name: string, value: string): boolean {
  return name === 'te' ? value === 'trailers' : !CONNECTION_SPECIFIC.has(name);
}

/** Headers about the framing of a message: in trailers and interim responses they have no meaning. */
const FRAMING: ReadonlySet<string> = new Set([
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
  'host',
]);

/**
 * The headers of an interim response or the trailers of a final one, as both protocols can carry them: hop-by-hop,
 * framing and malformed ones are left out, and of a single-value header only the first value is returned.
 */
export function interimOrTrailerHeaders(
  headers: Iterable<readonly [name: string, value: string]>,
): [string, string][] {
  const allowed: [string, string][] = [];
  const seen = new Set<string>();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    if (isHopByHopHeader(key) || FRAMING.has(key)) continue;
    if (!isHeaderName(key) || !isHeaderValue(value)) continue;
    if (SINGLE_VALUE.has(key)) {
      if (seen.has(key)) continue;
      seen.add(key);
    }
    allowed.push([name, value]);
  }
  return allowed;
}

/** A header that Node does not write. */
export class InvalidHeaderError extends Error {
  override readonly name = 'InvalidHeaderError';

  constructor(header: string) {
    super(`header ${JSON.stringify(header)} has a name or value that HTTP cannot carry`);
  }
}
