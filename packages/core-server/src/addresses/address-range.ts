import { familyBits, formatIp, type IpFamily, parseIp, parsePrefix } from '@tributary/apimachinery';

/** The addresses that Services may have. */
export interface AddressRange {
  readonly family: IpFamily;
  /** In the form that messages print. */
  readonly text: string;
  /** The network address, which is never allocated. */
  readonly network: bigint;
  /** The first allocatable address. */
  readonly first: bigint;
  readonly last: bigint;
  /**
   * The number of addresses from the first on that are allocated dynamically only when all others are in use, so that
   * they stay available to Services that request one.
   */
  readonly reserved: bigint;
}

/** As upstream, at most an IPv6 network of 64 bits. */
const IPV6_BITS_MIN = 64;

/** Throws the error of the flag when Services cannot be allocated from the range. */
export function parseAddressRange(text: string): AddressRange {
  const prefix = parsePrefix(text);
  if (prefix === undefined || prefix.address.isMapped) {
    throw new Error(`${text} is not a CIDR such as 10.0.0.0/24`);
  }
  const { address, bits, network } = prefix;
  const { family } = address;
  if (family === 'IPv6' && bits < IPV6_BITS_MIN) {
    throw new Error(
      `shortest allowed prefix length for service CIDR is ${IPV6_BITS_MIN}, got ${bits}`,
    );
  }
  const size = 1n << BigInt(familyBits[family] - bits);
  // The last IPv4 address is the broadcast address.
  const last = network + size - (family === 'IPv4' ? 2n : 1n);
  if (last < network + 1n) throw new Error(`${text} has no allocatable address`);
  return {
    family,
    text: `${formatIp({ family, value: network })}/${bits}`,
    network,
    first: network + 1n,
    last,
    reserved: reservedCount(size, { min: 16n, max: 256n, step: 16n }),
  };
}

/** The value of an allocatable address: neither the network nor the broadcast address. */
export function allocatableAddress(range: AddressRange, text: string): bigint | undefined {
  const address = parseIp(text);
  if (address?.family !== range.family) return undefined;
  return address.value >= range.first && address.value <= range.last ? address.value : undefined;
}

/** A share of the range (1/step) between `min` and `max`; 0 for a range of at most `min`. */
export function reservedCount(
  size: bigint,
  { min, max, step }: { min: bigint; max: bigint; step: bigint },
): bigint {
  if (size <= min) return 0n;
  const share = size / step;
  if (share < min) return min;
  return share > max ? max : share;
}
