/** Kubernetes' networks: an address and how many of its bits count. */
import { goQuote } from '@tributary/apimachinery';
import {
  type Address,
  AddressError,
  formatAddress,
  isMapped,
  parseAddress,
  sameAddress,
} from '@tributary/apimachinery/net';
import { STRING_TRAVERSAL_FACTOR, traversalCost } from '../declarations/estimate.ts';
import type { Library, Overload } from '../declarations/library.ts';
import { CelError, celError, NO_SUCH_OVERLOAD } from '../values/errors.ts';
import { BOOL, INT, opaqueType, STRING, type Type } from '../values/types.ts';
import { type OpaqueValue, type Result, sizeOf, type Value } from '../values/value.ts';
import { declare, global, member } from './declare.ts';
import { IP_TYPE, ipValue, isIp, toIp } from './ip.ts';
import { estimateContains } from './kubernetes-estimates.ts';

export const CIDR_TYPE: Type = opaqueType('net.CIDR');

export interface CidrValue extends OpaqueValue {
  readonly network: Address;
  readonly bits: number;
}

export const CIDR: Library = {
  name: 'kubernetes.net.cidr',
  types: [CIDR_TYPE],
  functions: [
    declare(
      'cidr',
      global('string_to_cidr', [STRING], CIDR_TYPE, ([text]) => toCidr(text as string)),
    ),
    declare(
      'isCIDR',
      global(
        'is_cidr',
        [STRING],
        BOOL,
        ([text]) => !(parseCidr(text as string) instanceof CelError),
      ),
    ),
    declare(
      'string',
      global('cidr_to_string', [CIDR_TYPE], STRING, ([cidr]) => formatCidr(cidr as CidrValue)),
    ),
    declare(
      'containsIP',
      containing('cidr_contains_ip_string', STRING, ([cidr, text]) =>
        containsIp(cidr, toIp(text as string)),
      ),
      containing('cidr_contains_ip_ip', IP_TYPE, ([cidr, ip]) => containsIp(cidr, ip)),
    ),
    declare(
      'containsCIDR',
      containing('cidr_contains_cidr_string', STRING, ([cidr, text]) =>
        containsCidr(cidr, toCidr(text as string)),
      ),
      containing('cidr_contains_cidr', CIDR_TYPE, ([cidr, other]) => containsCidr(cidr, other)),
    ),
    declare('ip', {
      ...member('cidr_ip', [CIDR_TYPE], IP_TYPE, ([cidr]) => ipValue((cidr as CidrValue).network)),
      actualCost: () => 1,
      estimateCost: () => undefined,
    }),
    declare(
      'prefixLength',
      member('cidr_prefix_length', [CIDR_TYPE], INT, ([cidr]) => BigInt((cidr as CidrValue).bits)),
    ),
    declare(
      'masked',
      member('cidr_masked', [CIDR_TYPE], CIDR_TYPE, ([cidr]) => masked(cidr as CidrValue)),
    ),
  ],
};

/** Both prefixes are walked over; a text is read before, and of a network the mask is compared too. */
function containing(id: string, other: Type, call: (args: readonly Value[]) => Result): Overload {
  const isText = other === STRING;
  const isNetwork = id.startsWith('cidr_contains_cidr');
  return {
    ...member(id, [CIDR_TYPE, other], BOOL, call),
    actualCost: ([cidr, what]) => {
      const size = sizeOf(cidr ?? null);
      const masking = isNetwork ? traversalCost(size) + 1 : 0;
      const reading = isText ? traversalCost(sizeOf(what ?? null)) : 0;
      return traversalCost(2 * size, STRING_TRAVERSAL_FACTOR) + masking + reading;
    },
    estimateCost: estimateContains({ isNetwork, isText }),
  };
}

function cidrValue(network: Address, bits: number): CidrValue {
  return {
    kind: 'opaque',
    type: CIDR_TYPE,
    network,
    bits,
    size: Math.ceil(bits / 8),
    equalityCost: 1,
    equals: (other) =>
      isCidr(other) ? bits === other.bits && sameAddress(network, other.network) : NO_SUCH_OVERLOAD,
  };
}

export function isCidr(value: Result | undefined): value is CidrValue {
  return typeof value === 'object' && value !== null && 'network' in value;
}

/** The complaint is said twice upstream. */
function toCidr(text: string): CidrValue | CelError {
  const parsed = parseCidr(text);
  if (!(parsed instanceof CelError)) return parsed;
  return celError(`network address parse error during conversion from string: ${parsed.message}`);
}

function parseCidr(text: string): CidrValue | CelError {
  const slash = text.lastIndexOf('/');
  if (slash < 0) return refused(text, "no '/'");
  const network = addressBefore(text, slash);
  if (network instanceof CelError) return network;
  if (network.zone !== '') return refused(text, 'IPv6 zones cannot be present in a prefix');
  const bits = text.slice(slash + 1);
  if (!/^(?:[0-9]|[1-9][0-9]{0,17})$/.test(bits)) {
    return refused(text, `bad bits after slash: ${goQuote(bits)}`);
  }
  if (Number(bits) > network.bytes.length * 8) return refused(text, 'prefix length out of range');
  if (isMapped(network)) {
    return celError(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
  }
  return cidrValue(network, Number(bits));
}

function addressBefore(text: string, slash: number): Address | CelError {
  try {
    return parseAddress(text.slice(0, slash));
  } catch (error) {
    if (error instanceof AddressError) return refused(text, error.message);
    throw error;
  }
}

function refused(text: string, message: string): CelError {
  return celError(
    `network address parse error during conversion from string: netip.ParsePrefix(${goQuote(text)}): ${message}`,
  );
}

function formatCidr({ network, bits }: CidrValue): string {
  return `${formatAddress(network)}/${bits}`;
}

function masked({ network, bits }: CidrValue): CidrValue {
  const bytes = network.bytes.map((byte, index) => byte & maskByte(bits, index));
  return cidrValue({ bytes, zone: '' }, bits);
}

function maskByte(bits: number, index: number): number {
  const retained = Math.min(8, Math.max(0, bits - 8 * index));
  return (0xff << (8 - retained)) & 0xff;
}

function hasPrefix(cidr: CidrValue, { bytes }: Address, bits: number): boolean {
  const { network } = cidr;
  return (
    network.bytes.length === bytes.length &&
    bytes.every(
      (byte, index) => ((byte ^ (network.bytes[index] ?? 0)) & maskByte(bits, index)) === 0,
    )
  );
}

function containsIp(cidr: Value | undefined, ip: Result | undefined): Result {
  if (ip instanceof CelError) return NO_SUCH_OVERLOAD;
  if (!isCidr(cidr) || !isIp(ip)) return NO_SUCH_OVERLOAD;
  return hasPrefix(cidr, ip.address, cidr.bits);
}

function containsCidr(cidr: Value | undefined, other: Result | undefined): Result {
  if (other instanceof CelError) return other;
  if (!isCidr(cidr) || !isCidr(other)) return NO_SUCH_OVERLOAD;
  return cidr.bits <= other.bits && hasPrefix(cidr, other.network, cidr.bits);
}
