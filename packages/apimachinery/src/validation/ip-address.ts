/** Parses and formats IP addresses: lax forms of old fields, and the canonical form. */

export type IpFamily = 'IPv4' | 'IPv6';

export interface IpAddress {
  /** IPv4 for an IPv4-mapped IPv6 address. */
  readonly family: IpFamily;
  readonly value: bigint;
  /** Written as `::ffff:a.b.c.d`. */
  readonly isMapped: boolean;
  /** Has leading zeros, which other programs read as octal or refuse. */
  readonly hasLeadingZeros: boolean;
}

export const familyBits: Readonly<Record<IpFamily, number>> = { IPv4: 32, IPv6: 128 };

const MAPPED_PREFIX = 0xffffn;
const IPV4_MASK = 0xffff_ffffn;

/** Reads the lax form of old fields: allows leading zeros, but no zones. */
export function parseIp(text: string): IpAddress | undefined {
  return text.includes(':') ? parseIpv6(text) : parseIpv4(text);
}

function parseIpv4(text: string): IpAddress | undefined {
  const parsed = dottedQuad(text);
  return parsed && { family: 'IPv4', isMapped: false, ...parsed };
}

interface Parsed {
  readonly value: bigint;
  readonly hasLeadingZeros: boolean;
}

function dottedQuad(text: string): Parsed | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) return undefined;
  let value = 0n;
  for (const part of parts) {
    if (!/^\d{1,8}$/.test(part) || Number(part) > 255) return undefined;
    value = (value << 8n) | BigInt(part);
  }
  return { value, hasLeadingZeros: parts.some((part) => /^0\d/.test(part)) };
}

function parseIpv6(text: string): IpAddress | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map((half, index) =>
    groupsOf(half, { mayEndInIpv4: index === halves.length - 1 }),
  );
  if (head === undefined || (halves.length === 2 && tail === undefined)) return undefined;
  const groups = joined(head.groups, tail?.groups);
  if (groups === undefined) return undefined;
  const value = groups.reduce((sum, group) => (sum << 16n) | BigInt(group), 0n);
  const hasLeadingZeros = head.hasLeadingZeros || (tail?.hasLeadingZeros ?? false);
  if (value >> 32n === MAPPED_PREFIX) {
    return { family: 'IPv4', value: value & IPV4_MASK, isMapped: true, hasLeadingZeros };
  }
  return { family: 'IPv6', value, isMapped: false, hasLeadingZeros };
}

interface Groups {
  readonly groups: readonly number[];
  readonly hasLeadingZeros: boolean;
}

function groupsOf(text: string, { mayEndInIpv4 }: { mayEndInIpv4: boolean }): Groups | undefined {
  if (text === '') return { groups: [], hasLeadingZeros: false };
  const parts = text.split(':');
  const groups: number[] = [];
  let hasLeadingZeros = false;
  for (const [index, part] of parts.entries()) {
    if (mayEndInIpv4 && index === parts.length - 1 && part.includes('.')) {
      const quad = dottedQuad(part);
      if (quad === undefined) return undefined;
      groups.push(Number(quad.value >> 16n), Number(quad.value & 0xffffn));
      hasLeadingZeros ||= quad.hasLeadingZeros;
      continue;
    }
    if (!/^[0-9a-fA-F]{1,8}$/.test(part)) return undefined;
    const group = Number.parseInt(part, 16);
    if (group > 0xffff) return undefined;
    groups.push(group);
    hasLeadingZeros ||= part.length > 4;
  }
  return { groups, hasLeadingZeros };
}

/** Two colons stand for at least one group of zeros. */
function joined(
  head: readonly number[],
  tail: readonly number[] | undefined,
): readonly number[] | undefined {
  if (tail === undefined) return head.length === 8 ? head : undefined;
  const missing = 8 - head.length - tail.length;
  return missing < 1 ? undefined : [...head, ...new Array<number>(missing).fill(0), ...tail];
}

/** The canonical form: RFC 5952 for IPv6. */
export function formatIp({ family, value }: Pick<IpAddress, 'family' | 'value'>): string {
  return family === 'IPv4' ? formatIpv4(value) : formatIpv6(value);
}

function formatIpv4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.');
}

function formatIpv6(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, index) =>
    ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16),
  );
  const { at, length } = longestZeros(groups);
  if (length < 2) return groups.join(':');
  return `${groups.slice(0, at).join(':')}::${groups.slice(at + length).join(':')}`;
}

function longestZeros(groups: readonly string[]): { at: number; length: number } {
  let best = { at: 0, length: 0 };
  let length = 0;
  for (const [index, group] of groups.entries()) {
    length = group === '0' ? length + 1 : 0;
    if (length > best.length) best = { at: index - length + 1, length };
  }
  return best;
}

export interface IpPrefix {
  readonly address: IpAddress;
  /** The first address. */
  readonly network: bigint;
  /** Prefix length as written. */
  readonly bits: number;
  /** Address width as written: 128 for an IPv4-mapped address. */
  readonly width: number;
  readonly hasLeadingZeros: boolean;
}

/** Reads the lax form of old fields. */
export function parsePrefix(text: string): IpPrefix | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) return undefined;
  const address = parseIp(text.slice(0, slash));
  const length = text.slice(slash + 1);
  if (address === undefined || !/^\d{1,8}$/.test(length)) return undefined;
  const width = address.isMapped ? 128 : familyBits[address.family];
  const bits = Number(length);
  if (bits > width) return undefined;
  const hostBits = BigInt(Math.min(width - bits, familyBits[address.family]));
  return {
    address,
    network: (address.value >> hostBits) << hostBits,
    bits,
    width,
    hasLeadingZeros: address.hasLeadingZeros || /^0\d/.test(length),
  };
}

/** As Go's net.IPNet prints: the network address and the prefix length. */
export function formatPrefix({ address, network, bits, width }: IpPrefix): string {
  // An IPv4-mapped network prints as the IPv4 network.
  const shown = width > familyBits[address.family] ? Math.max(bits - 96, 0) : bits;
  return `${formatIp({ family: address.family, value: network })}/${shown}`;
}
