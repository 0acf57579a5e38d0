import { familyBits, formatIp, type IpFamily, parseIp, parsePrefix } from '@tributary/apimachinery';

/** The addresses that services may have. */
export interface AddressRange {
  readonly family: IpFamily;
  /** As messages show it. */
  readonly text: string;
  /** The network itself, which nobody gets. */
  readonly network: bigint;
  /** Of those that may be given away. */
  readonly first: bigint;
  readonly last: bigint;
  /** As many from the first on are left to those who ask for one by name, while there are others. */
  readonly reserved: bigint;
}

/** The addresses are at most those of an IPv6 network of 64 bits. */
const IPV6_BITS_MIN = 64;

/** Throws for a range that cannot be served: it is a setting of whoever starts the server. */
export function parseAddressRange(text: string): AddressRange {
  const prefix = parsePrefix(text);
  if (prefix === undefined || prefix.address.isMapped) {
    throw new Error(`${text} is no range of addresses such as 10.0.0.0/24`);
  }
  const { address, bits, network } = prefix;
  const { family } = address;
  if (family === 'IPv6' && bits < IPV6_BITS_MIN) {
    throw new Error(
      `shortest allowed prefix length for service CIDR is ${IPV6_BITS_MIN}, got ${bits}`,
    );
  }
  const size = 1n << BigInt(familyBits[family] - bits);
  // The last one is for everybody in IPv4.
  const last = network + size - (family === 'IPv4' ? 2n : 1n);
  if (last < network + 1n) throw new Error(`${text} has no address to give away`);
  return {
    family,
    text: `${formatIp({ family, value: network })}/${bits}`,
    network,
    first: network + 1n,
    last,
    reserved: reservedOf(size, { min: 16n, max: 256n, step: 16n }),
  };
}

/** Whether a range has an address at all that may be given away: neither the network nor everybody's. */
export function addressIn(range: AddressRange, text: string): bigint | undefined {
  const address = parseIp(text);
  if (address?.family !== range.family) return undefined;
  return address.value >= range.first && address.value <= range.last ? address.value : undefined;
}

/** Never less than the smallest number nor more than the largest, in steps between them; none of a small range. */
export function reservedOf(
  size: bigint,
  { min, max, step }: { min: bigint; max: bigint; step: bigint },
): bigint {
  if (size <= min) return 0n;
  const share = size / step;
  if (share < min) return min;
  return share > max ? max : share;
}
