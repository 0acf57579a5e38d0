import type { Authentication } from '../request/authenticator.ts';
import type { RequestHeaders } from '../request/request-headers.ts';
import { headerText, unescapeKey } from './header-text.ts';
import { customIdentityHeader, type RequestHeaderNames } from './request-header-names.ts';

/** Users that are remembered, and how much may be said of each: about 4 MB in all. */
const KNOWN_MAX = 1000;
const WORDS_MAX = 2048;

/**
 * Who a front proxy speaks for. The same few users come again and again: who is told of in the same lines is the same
 * object, so that what others keep about a user is found again.
 */
export function knownUsers(): (
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
    const words = wordsAbout(headers, isIdentity);
    const before = known.get(words);
    if (before !== undefined) return before;
    const result = userOf(headers, names);
    if (words.length > WORDS_MAX) return result;
    if (known.size >= KNOWN_MAX) known.clear();
    known.set(words, result);
    return result;
  };
}

/** All that is said about the user; no line has a line break in it, and no name a colon. */
function wordsAbout(headers: RequestHeaders, isIdentity: (name: string) => boolean): string {
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
  // One line is one group: names may have commas.
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
