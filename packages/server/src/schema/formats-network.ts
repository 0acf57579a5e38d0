/** Network addresses and names, as Go's parsers read them. */
import { isIPv6 } from 'node:net';

/** Leading zeros are decimal; an IPv6 address with a dotted end counts too. */
export function isIpv4(text: string): boolean {
  return text.includes('.') && (isDotted(text) || isSloppyIpv6(text));
}

export function isIpv6(text: string): boolean {
  return isIPv6(text) && !text.includes('%');
}

export function isCidr(text: string): boolean {
  const [, address = '', bits = ''] = /^([^/]*)\/(\d{1,7})$/.exec(text) ?? [];
  if (isDotted(address)) return Number(bits) <= 32;
  return isSloppyIpv6(address) && Number(bits) <= 128;
}

function isDotted(text: string): boolean {
  return /^\d+(?:\.\d+){3}$/.test(text) && text.split('.').every((part) => Number(part) <= 255);
}

/** The dotted end of an address may have leading zeros. */
function isSloppyIpv6(text: string): boolean {
  if (!text.includes(':')) return false;
  const start = text.lastIndexOf(':') + 1;
  const end = text.slice(start);
  return isIpv6(isDotted(end) ? text.slice(0, start) + end.split('.').map(Number).join('.') : text);
}

/** 6, 8 or 20 octets: `00:00:5e:00:53:01`, with dashes, in groups of four digits with dots, or all in one. */
export function isMac(text: string): boolean {
  const separated = /^[0-9a-f]{2}(?:([:-])[0-9a-f]{2})(?:\1[0-9a-f]{2})*$/i.test(text);
  const grouped = /^[0-9a-f]{4}(?:\.[0-9a-f]{4})+$/i.test(text);
  if (!separated && !grouped && !/^[0-9a-f]+$/i.test(text)) return false;
  return [12, 16, 40].includes(text.replace(/[:.-]/g, '').length);
}

const LABEL = '[a-zA-Z0-9\\p{S}\\p{L}]';
const HOSTNAME = new RegExp(
  `^(?:${LABEL}(?:-?${LABEL}{0,62})?|(?:${LABEL}(?:[a-zA-Z0-9\\-\\p{S}\\p{L}]{0,61}${LABEL})?\\.)+[a-zA-Z\\p{L}]{2,63})$`,
  'u',
);

export function isHostname(text: string): boolean {
  if (Buffer.byteLength(text) > 255) return false;
  return HOSTNAME.test(text) && text.split('.').every((label) => Buffer.byteLength(label) <= 63);
}

/** Longer than any real address. */
const EMAIL_CHARACTERS_MAX = 1000;
const ATEXT = "A-Za-z0-9!#$%&'*+\\-/=?^_`{|}~\\u{80}-\\u{10FFFF}";
const DOTS = `[${ATEXT}]+(?:\\.[${ATEXT}]+)*`;
const QUOTED = '"(?:[^"\\\\\\r\\n\\0]|\\\\[^\\r\\n\\0])*"';
const ADDRESS = `(?:${DOTS}|${QUOTED})@(?:${DOTS}|\\[[^\\[\\]\\\\ \\t\\r\\n]+\\])`;
/** One character or one quoted text at a time, so that no text has two parses and a mismatch takes linear time. */
const PHRASE = `(?:[${ATEXT}. \\t]|${QUOTED})*`;
const COMMENT = '(?:\\([^()\\\\]*\\)[ \\t]*)?';
const MAILBOX = new RegExp(`^(?:[ \\t]*${ADDRESS}|${PHRASE}<${ADDRESS}>)[ \\t]*${COMMENT}$`, 'u');

/** An address, or a name and an address in angle brackets. */
export function isEmail(text: string): boolean {
  return text.length <= EMAIL_CHARACTERS_MAX && MAILBOX.test(text);
}

/** An absolute URI, or an absolute path, as in a request line. */
export function isRequestUri(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  if (text === '' || /[\x00-\x1f\x7f]/.test(text)) return false;
  if (text === '*') return true;
  const [scheme = ''] = /^[A-Za-z][A-Za-z0-9+.-]*:/.exec(text) ?? [];
  if (scheme === '' && text.startsWith(':')) return false;
  const [rest = ''] = text.slice(scheme.length).split('?', 1);
  if (!rest.startsWith('/')) return scheme !== '';
  if (scheme === '' || !rest.startsWith('//')) return isEscaped(rest);
  const slash = rest.indexOf('/', 2);
  const authority = slash === -1 ? rest.slice(2) : rest.slice(2, slash);
  return isAuthority(authority) && isEscaped(slash === -1 ? '' : rest.slice(slash));
}

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf('@');
  const user = authority.slice(0, Math.max(at, 0));
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user) || !isEscaped(user)) return false;
  return isHostAndPort(authority.slice(at + 1));
}

function isHostAndPort(host: string): boolean {
  if (host.startsWith('[')) {
    const end = host.lastIndexOf(']');
    return end !== -1 && isPort(host.slice(end + 1)) && isHost(host.slice(0, end + 1));
  }
  const colon = host.lastIndexOf(':');
  return (colon === -1 || isPort(host.slice(colon))) && isHost(host);
}

function isPort(text: string): boolean {
  return /^(?::\d*)?$/.test(text);
}

/** Only bytes beyond ASCII, and the percent sign, may be escaped in a host. */
function isHost(host: string): boolean {
  const plain = host.replace(/%(?:[89a-fA-F][0-9a-fA-F]|25)/g, '');
  return /^[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"\u{80}-\u{10FFFF}]*$/u.test(plain);
}

function isEscaped(text: string): boolean {
  return !/%(?![0-9a-fA-F]{2})/.test(text);
}
