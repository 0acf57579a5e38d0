/** IP addresses as Go's netip reads and writes them. */
import { goQuote } from '../values/go-quote.ts';

export interface Address {
  /** 4 or 16 bytes. */
  readonly bytes: readonly number[];
  readonly zone: string;
}

/** The text is no address; the message is Go's. */
export class AddressError extends Error {
  override readonly name = 'AddressError';

  constructor(text: string, message: string, at = '') {
    const place = at === '' ? '' : ` (at ${goQuote(at)})`;
    super(`ParseAddr(${goQuote(text)}): ${message}${place}`);
  }
}

/** Throws an AddressError. */
export function parseAddress(text: string): Address {
  for (const letter of text) {
    if (letter === '.') return { bytes: parseVersion4(text, text), zone: '' };
    if (letter === ':') return parseVersion6(text);
    // A zone belongs behind an address of version 6.
    if (letter === '%') throw new AddressError(text, 'missing IPv6 address');
  }
  throw new AddressError(text, 'unable to parse IP');
}

/** Written with its first four bytes or with a dotted end: an IPv4 address within IPv6. */
export function isMapped({ bytes }: Address): boolean {
  return (
    bytes.length === 16 &&
    bytes.slice(0, 10).every((byte) => byte === 0) &&
    bytes[10] === 0xff &&
    bytes[11] === 0xff
  );
}

export function formatAddress(address: Address): string {
  const { bytes, zone } = address;
  if (bytes.length === 4) return bytes.join('.');
  const suffix = zone === '' ? '' : `%${zone}`;
  if (isMapped(address)) return `::ffff:${bytes.slice(12).join('.')}${suffix}`;
  return `${formatVersion6(bytes)}${suffix}`;
}

export function sameAddress(one: Address, other: Address): boolean {
  return (
    one.zone === other.zone &&
    one.bytes.length === other.bytes.length &&
    one.bytes.every((byte, index) => byte === other.bytes[index])
  );
}

/** The longest run of zeros, the first of several, becomes `::`; a single zero does not. */
function formatVersion6(bytes: readonly number[]): string {
  const groups = Array.from({ length: 8 }, (_, index) => {
    return ((bytes[2 * index] ?? 0) << 8) | (bytes[2 * index + 1] ?? 0);
  });
  const { start, length } = longestZeros(groups);
  const text = (part: readonly number[]) => part.map((group) => group.toString(16)).join(':');
  if (length < 2) return text(groups);
  return `${text(groups.slice(0, start))}::${text(groups.slice(start + length))}`;
}

function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let longest = { start: 0, length: 0 };
  let start = 0;
  groups.forEach((group, index) => {
    if (group !== 0) start = index + 1;
    else if (index + 1 - start > longest.length) longest = { start, length: index + 1 - start };
  });
  return longest;
}

/** Four numbers of the part of a text that ends it. */
function parseVersion4(text: string, part: string): number[] {
  const fields: number[] = [];
  let value = 0;
  let digits = 0;
  for (let at = 0; at < part.length; at++) {
    const letter = part[at] ?? '';
    if (letter >= '0' && letter <= '9') {
      if (digits === 1 && value === 0) {
        throw new AddressError(text, 'IPv4 field has octet with leading zero');
      }
      value = value * 10 + Number(letter);
      digits += 1;
      if (value > 255) throw new AddressError(text, 'IPv4 field has value >255');
    } else if (letter === '.') {
      if (at === 0 || at === part.length - 1 || part[at - 1] === '.') {
        throw new AddressError(text, 'IPv4 field must have at least one digit', part.slice(at));
      }
      if (fields.length === 3) throw new AddressError(text, 'IPv4 address too long');
      fields.push(value);
      value = 0;
      digits = 0;
    } else {
      throw new AddressError(text, 'unexpected character', part.slice(at));
    }
  }
  if (fields.length < 3) throw new AddressError(text, 'IPv4 address too short');
  return [...fields, value];
}

function parseVersion6(text: string): Address {
  const percent = text.indexOf('%');
  const zone = percent < 0 ? '' : text.slice(percent + 1);
  if (percent >= 0 && zone === '') throw new AddressError(text, 'zone must be a non-empty string');
  const { bytes, ellipsis } = parseGroups(text, percent < 0 ? text : text.slice(0, percent));
  if (bytes.length < 16 && ellipsis < 0) throw new AddressError(text, 'address string too short');
  if (bytes.length === 16 && ellipsis >= 0) {
    throw new AddressError(text, 'the :: must expand to at least one field of zeros');
  }
  const zeros = new Array<number>(16 - bytes.length).fill(0);
  const cut = Math.max(0, ellipsis);
  return { bytes: [...bytes.slice(0, cut), ...zeros, ...bytes.slice(cut)], zone };
}

interface Groups {
  readonly bytes: readonly number[];
  /** Before which byte `::` stands; -1 when it does not. */
  readonly ellipsis: number;
}

function parseGroups(text: string, address: string): Groups {
  const bytes: number[] = [];
  let ellipsis = address.startsWith('::') ? 0 : -1;
  let rest = ellipsis === 0 ? address.slice(2) : address;
  if (ellipsis === 0 && rest === '') return { bytes, ellipsis };
  while (bytes.length < 16) {
    const digits = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? '';
    checkGroup(text, rest, digits);
    if (rest[digits.length] === '.') {
      checkEmbedded(text, rest, { count: bytes.length, ellipsis });
      bytes.push(...parseVersion4(text, rest));
      return { bytes, ellipsis };
    }
    const group = Number.parseInt(digits, 16);
    bytes.push(group >> 8, group & 0xff);
    rest = rest.slice(digits.length);
    if (rest === '') break;
    rest = afterColon(text, rest);
    if (rest.startsWith(':')) {
      if (ellipsis >= 0) throw new AddressError(text, 'multiple :: in address', rest);
      ellipsis = bytes.length;
      rest = rest.slice(1);
      if (rest === '') break;
    }
  }
  if (rest !== '') throw new AddressError(text, 'trailing garbage after address', rest);
  return { bytes, ellipsis };
}

function checkGroup(text: string, rest: string, digits: string): void {
  if (digits.length > 4) {
    throw new AddressError(text, 'each group must have 4 or less digits', rest);
  }
  if (digits === '') {
    const message = 'each colon-separated field must have at least one digit';
    throw new AddressError(text, message, rest);
  }
}

function checkEmbedded(
  text: string,
  rest: string,
  { count, ellipsis }: { readonly count: number; readonly ellipsis: number },
): void {
  if (ellipsis < 0 && count !== 12) {
    const message = 'embedded IPv4 address must replace the final 2 fields of the address';
    throw new AddressError(text, message, rest);
  }
  if (count + 4 > 16) {
    const message = 'too many hex fields to fit an embedded IPv4 at the end of the address';
    throw new AddressError(text, message, rest);
  }
}

function afterColon(text: string, rest: string): string {
  if (rest[0] !== ':') throw new AddressError(text, 'unexpected character, want colon', rest);
  if (rest.length === 1) {
    throw new AddressError(text, 'colon must be followed by more characters', rest);
  }
  return rest.slice(1);
}
