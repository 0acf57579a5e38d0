/** Percent-encoding of the parts of a URL, on bytes. */
import { goQuote } from '../values/go-quote.ts';

export type UrlPart = 'path' | 'host' | 'zone' | 'user' | 'query' | 'fragment';

/** The text is no URL; the message is Go's. */
export class UrlError extends Error {
  override readonly name = 'UrlError';
}

const HOST_EXTRA = '!$&\'()*+,;=:[]<>"';

/** Characters of a part that are not escaped, beside letters, digits and `-_.~`. */
const PLAIN: Readonly<Record<UrlPart, string>> = {
  path: '$&+,/:;=@',
  host: HOST_EXTRA,
  zone: HOST_EXTRA,
  user: '$&+,;=',
  query: '',
  fragment: '$&+,/:;=?@!()*',
};

const UNRESERVED = 'A-Za-z0-9\\-_.~';

/** Characters of a part that are escaped. Made once: texts may be as long as a request. */
const ESCAPED = mapParts((part) => new RegExp(`[^${UNRESERVED}${classOf(PLAIN[part])}]`, 'g'));
/** Characters that no escaping of the part has. */
const NEVER_WRITTEN = mapParts(
  (part) => new RegExp(`[^${UNRESERVED}${classOf(PLAIN[part])}${classOf("!$&'()*+,;=:@[]%")}]`),
);
/** ASCII that the name of a host cannot have. */
const NOT_IN_HOST = new RegExp(`[^${UNRESERVED}${classOf(HOST_EXTRA)}%\\x80-\\xff]`);
const ESCAPE = /%(?:[0-9A-Fa-f]{2})?/g;

function mapParts<Made>(make: (part: UrlPart) => Made): Readonly<Record<UrlPart, Made>> {
  return {
    path: make('path'),
    host: make('host'),
    zone: make('zone'),
    user: make('user'),
    query: make('query'),
    fragment: make('fragment'),
  };
}

function classOf(characters: string): string {
  return characters.replace(/[\\\]^-]/g, '\\$&');
}

export function escapeBytes(bytes: string, part: UrlPart): string {
  return bytes.replace(ESCAPED[part], (byte) => {
    if (byte === ' ' && part === 'query') return '+';
    return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  });
}

/** Whether the text is a valid escaping, though not the one of `escapeBytes`. */
export function isValidEncoded(bytes: string, part: UrlPart): boolean {
  return !NEVER_WRITTEN[part].test(bytes);
}

/** Throws a UrlError for the first thing that is wrong. */
export function unescapeBytes(bytes: string, part: UrlPart): string {
  const isHost = part === 'host' || part === 'zone';
  const illegal = isHost ? bytes.search(NOT_IN_HOST) : -1;
  const text = part === 'query' ? bytes.replaceAll('+', ' ') : bytes;
  const unescaped = text.replace(ESCAPE, (escaped, at: number) => {
    // Go reports the first error.
    if (illegal >= 0 && illegal < at) throw illegalByte(bytes, illegal);
    return unescapedByte(escaped, { part, shown: bytes.slice(at, at + 3) });
  });
  if (illegal >= 0) throw illegalByte(bytes, illegal);
  return unescaped;
}

function unescapedByte(
  escaped: string,
  { part, shown }: { readonly part: UrlPart; readonly shown: string },
): string {
  const code = Number.parseInt(escaped.slice(1), 16);
  const byte = String.fromCharCode(code);
  // In names of hosts only what is not ASCII is escaped, and the percent sign before a zone.
  const isPercent = escaped === '%25';
  const isRefusedHost = part === 'host' && code < 0x80 && !isPercent;
  const isRefusedZone =
    part === 'zone' && !isPercent && byte !== ' ' && escapeBytes(byte, 'host') !== byte;
  if (escaped.length === 3 && !isRefusedHost && !isRefusedZone) return byte;
  throw new UrlError(`invalid URL escape ${goQuote(Buffer.from(shown, 'latin1').toString())}`);
}

function illegalByte(bytes: string, at: number): UrlError {
  return new UrlError(`invalid character ${goQuote(bytes[at] ?? '')} in host name`);
}
