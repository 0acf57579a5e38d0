/** IP addresses as Go's netip reads and writes them. */
import { goQuote } from '@tributary/apimachinery';
import { parseVersion4, parseVersion6 } from './parse-address.ts';

export interface Address {
  /** 4 or 16 bytes. */
  readonly bytes: readonly number[];
  readonly zone: string;
}

/** Why a text is none, in the words of Go. */
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
