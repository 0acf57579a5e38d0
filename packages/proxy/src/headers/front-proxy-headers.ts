import { serviceUnavailable } from '@tributary/apimachinery';
import type { HeaderList } from '@tributary/client';
import { remoteUserHeaders } from '@tributary/client/http';
import type { UserInfo } from '@tributary/server';

/** The aggregator's own identity at extension API servers, for requests that no user sent. */
export const aggregatorHeaders: HeaderList = [
  [remoteUserHeaders.user, 'system:kube-aggregator'],
  [remoteUserHeaders.group, 'system:masters'],
];

/** Encodes users as the headers of a front proxy, each user once. */
export function frontProxyHeaders(): (user: UserInfo) => HeaderList {
  const encoded = new WeakMap<UserInfo, HeaderList>();
  return (user) => {
    let headers = encoded.get(user);
    if (headers === undefined) {
      headers = encodeUser(user);
      encoded.set(user, headers);
    }
    return headers;
  };
}

function encodeUser({ name, uid, groups, extra }: UserInfo): HeaderList {
  const headers = [header(remoteUserHeaders.user, name)];
  if (uid !== '') headers.push(header(remoteUserHeaders.uid, uid));
  // One header each: group names may have commas.
  for (const group of groups) headers.push(header(remoteUserHeaders.group, group));
  for (const [key, values] of Object.entries(extra)) {
    const extraName = `${remoteUserHeaders.extraPrefix}${escapeKey(key)}`;
    for (const value of values) headers.push(header(extraName, value));
  }
  return headers;
}

function header(name: string, value: string): [string, string] {
  // Upstream's transport refuses the same bytes: they could end the header and begin another.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are meant
  if (/[\x00-\x08\x0a-\x1f\x7f]/.test(value)) {
    throw serviceUnavailable(
      `error trying to reach service: invalid header field value for "${name}"`,
    );
  }
  return [name, encodeHeaderValue(value)];
}

/** Node writes one byte per character of a header; Go sends the bytes of UTF-8. */
export function encodeHeaderValue(value: string): string {
  return Buffer.from(value, 'utf8').toString('latin1');
}

const TOKEN = /[A-Za-z0-9!#$&'*+.^_`|~-]/;

/** Percent-encodes the characters that a header name cannot have; the authenticator of the backend decodes them. */
function escapeKey(key: string): string {
  let escaped = '';
  for (const character of encodeHeaderValue(key)) {
    escaped += TOKEN.test(character)
      ? character.toLowerCase()
      : `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  }
  return escaped;
}
