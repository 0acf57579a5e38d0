import type { Authentication } from '../request/authenticator.ts';
import type { RequestHeaders } from '../request/request-headers.ts';
import { headerText, unescapeKey } from './header-text.ts';
import { customIdentityHeader, type RequestHeaderNames } from './request-header-names.ts';

/** Remembered users, and the maximum size of their headers: about 4 MB in all. */
const KNOWN_MAX = 1000;
const WORDS_MAX = 2048;

/**
 * The user of a front proxy's request. Requests with the same identity headers get the same object, so that caches
 * keyed by the user object work.
 */
export function frontProxyUsers(): (
  headers: RequestHeaders,
  names: RequestHeaderNames,
) => Authentication {
  const known = new Map<string, Authentication>();
  let knownBy: RequestHeaderNames | undefined;
  let isIdentity: (name: string) => boolean = () => false;

  return (headers, names) => {
    if (names !== knownBy) {
      known.clear();
      knownBy = names;
      isIdentity = customIdentityHeader(() => names);
    }
    const words = identityText(headers, isIdentity);
    const before = known.get(words);
    if (before !== undefined) return before;
    const result = userOf(headers, names);
    if (words.length > WORDS_MAX) return result;
    if (known.size >= KNOWN_MAX) known.clear();
    known.set(words, result);
    return result;
  };
}

/** All identity headers as one text; values have no line breaks, and names no colons. */
function identityText(headers: RequestHeaders, isIdentity: (name: string) => boolean): string {
  let words = '';
  for (const [name, value] of headers.entries()) {
    if (isIdentity(name)) words += `${name}:${value}\n`;
  }
  return words;
}

function userOf(headers: RequestHeaders, names: RequestHeaderNames): Authentication {
  const name = firstValue(headers, names.usernameHeaders);
  if (name === '') return { outcome: 'no-opinion' };
  const uid = firstValue(headers, names.uidHeaders);
  // One header is one group: group names may contain commas.
  const groups = names.groupHeaders
    .flatMap((header) => headers.all(header))
    .filter(Boolean)
    .map(headerText);
  const extra = extraOf(headers, names.extraHeaderPrefixes);
  return { outcome: 'authenticated', user: { name, uid, groups, extra } };
}

function firstValue(headers: RequestHeaders, names: readonly string[]): string {
  for (const name of names) {
    const value = headers.get(name);
    if (value) return headerText(value);
  }
  return '';
}

function extraOf(headers: RequestHeaders, prefixes: readonly string[]): Record<string, string[]> {
  const extra: Record<string, string[]> = Object.create(null);
  for (const prefix of prefixes) {
    for (const [name, value] of headers.entries()) {
      if (!name.startsWith(prefix)) continue;
      const key = unescapeKey(name.slice(prefix.length));
      extra[key] = [...(extra[key] ?? []), headerText(value)];
    }
  }
  return extra;
}
