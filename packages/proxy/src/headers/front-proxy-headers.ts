import { serviceUnavailable } from '@tributary/apimachinery';
import type { HeaderList } from '@tributary/client';
import type { UserInfo } from '@tributary/server';

/** Whose request it is, in the words of a front proxy. The same user comes again and again. */
export function frontProxyHeaders(): (user: UserInfo) => HeaderList {
  const known = new WeakMap<UserInfo, HeaderList>();
  return (user) => {
    let lines = known.get(user);
    if (lines === undefined) {
      lines = linesOf(user);
      known.set(user, lines);
    }
    return lines;
  };
}

function linesOf({ name, uid, groups, extra }: UserInfo): HeaderList {
  const lines: [string, string][] = [line('x-remote-user', name)];
  if (uid !== '') lines.push(line('x-remote-uid', uid));
  // One line each: names of groups may have commas.
  for (const group of groups) lines.push(line('x-remote-group', group));
  for (const [key, values] of Object.entries(extra)) {
    const header = `x-remote-extra-${escapeKey(key)}`;
    for (const value of values) lines.push(line(header, value));
  }
  return lines;
}

function line(name: string, value: string): [string, string] {
  // Upstream's transport refuses the same bytes: they could end the line, and begin another.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are meant
  if (/[\x00-\x08\x0a-\x1f\x7f]/.test(value)) {
    throw serviceUnavailable(
      `error trying to reach service: invalid header field value for "${name}"`,
    );
  }
  return [name, encodeHeaderValue(value)];
}

/** Lines of headers are bytes, and Node writes one for each character: those of UTF-8, as Go does. */
export function encodeHeaderValue(value: string): string {
  return Buffer.from(value, 'utf8').toString('latin1');
}

const TOKEN = /[A-Za-z0-9!#$&'*+.^_`|~-]/;

/** Names of headers cannot have every byte; the server behind decodes what is encoded. */
function escapeKey(key: string): string {
  let escaped = '';
  for (const sign of encodeHeaderValue(key)) {
    escaped += TOKEN.test(sign)
      ? sign.toLowerCase()
      : `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`;
  }
  return escaped;
}
