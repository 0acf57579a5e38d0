/** Kubernetes' IP addresses. */
import { goQuote } from '@tributary/apimachinery';
import {
  type Address,
  AddressError,
  formatAddress,
  isMapped,
  parseAddress,
  sameAddress,
} from '@tributary/apimachinery/net';
import type { FunctionDeclaration, Library } from '../declarations/library.ts';
import { CelError, celError, NO_SUCH_OVERLOAD } from '../values/errors.ts';
import { BOOL, INT, opaqueType, STRING, type Type } from '../values/types.ts';
import type { OpaqueValue, Result, Value } from '../values/value.ts';
import { declare, global, member } from './declare.ts';

export const IP_TYPE: Type = opaqueType('net.IP');

export interface IpValue extends OpaqueValue {
  readonly address: Address;
}

export const IP: Library = {
  name: 'kubernetes.net.ip',
  types: [IP_TYPE],
  functions: [
    declare(
      'ip',
      global('string_to_ip', [STRING], IP_TYPE, ([text]) => toIp(text as string)),
    ),
    declare(
      'isIP',
      global('is_ip', [STRING], BOOL, ([text]) => !(toIp(text as string) instanceof CelError)),
    ),
    declare(
      'ip.isCanonical',
      global('ip_is_canonical', [STRING], BOOL, ([text]) => {
        const ip = toIp(text as string);
        return ip instanceof CelError ? ip : formatAddress(ip.address) === text;
      }),
    ),
    declare(
      'string',
      global('ip_to_string', [IP_TYPE], STRING, ([ip]) => formatAddress(addressOf(ip))),
    ),
    declare(
      'family',
      member('ip_family', [IP_TYPE], INT, ([ip]) => (isVersion4(addressOf(ip)) ? 4n : 6n)),
    ),
    question('isUnspecified', 'ip_is_unspecified', isUnspecified),
    question('isLoopback', 'ip_is_loopback', isLoopback),
    question('isLinkLocalMulticast', 'ip_is_link_local_multicast', isLinkLocalMulticast),
    question('isLinkLocalUnicast', 'ip_is_link_local_unicast', isLinkLocalUnicast),
    question('isGlobalUnicast', 'ip_is_global_unicast', isGlobalUnicast),
  ],
};

export function ipValue(address: Address): IpValue {
  return {
    kind: 'opaque',
    type: IP_TYPE,
    address,
    size: address.bytes.length,
    equalityCost: 1,
    equals: (other) => (isIp(other) ? sameAddress(address, other.address) : NO_SUCH_OVERLOAD),
  };
}

export function toIp(text: string): IpValue | CelError {
  try {
    const address = parseAddress(text);
    if (address.zone !== '') {
      return celError(`IP address ${goQuote(text)} with zone value is not allowed`);
    }
    if (isMapped(address)) {
      return celError(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
    }
    return ipValue(address);
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    const what = `IP Address ${goQuote(text)}`;
    return celError(`${what} parse error during conversion from string: ${error.message}`);
  }
}

export function isIp(value: Result | undefined): value is IpValue {
  return typeof value === 'object' && value !== null && 'address' in value;
}

function addressOf(value: Value | undefined): Address {
  return (value as IpValue).address;
}

function question(
  name: string,
  id: string,
  result: (address: Address) => boolean,
): FunctionDeclaration {
  return declare(
    name,
    member(id, [IP_TYPE], BOOL, ([ip]) => result(addressOf(ip))),
  );
}

function isVersion4({ bytes }: Address): boolean {
  return bytes.length === 4;
}

function isUnspecified({ bytes }: Address): boolean {
  return bytes.every((byte) => byte === 0);
}

function isLoopback(address: Address): boolean {
  const { bytes } = address;
  if (isVersion4(address)) return bytes[0] === 127;
  return bytes.slice(0, 15).every((byte) => byte === 0) && bytes[15] === 1;
}

function isMulticast(address: Address): boolean {
  const [first = 0] = address.bytes;
  return isVersion4(address) ? (first & 0xf0) === 0xe0 : first === 0xff;
}

function isLinkLocalMulticast(address: Address): boolean {
  const [first = 0, second = 0, third] = address.bytes;
  if (isVersion4(address)) return first === 224 && second === 0 && third === 0;
  return first === 0xff && (second & 0x0f) === 0x02;
}

function isLinkLocalUnicast(address: Address): boolean {
  const [first = 0, second = 0] = address.bytes;
  if (isVersion4(address)) return first === 169 && second === 254;
  return first === 0xfe && (second & 0xc0) === 0x80;
}

/** Private addresses are global here, and those that are only spoken to all are not. */
function isGlobalUnicast(address: Address): boolean {
  const isBroadcast = isVersion4(address) && address.bytes.every((byte) => byte === 255);
  return (
    !isBroadcast &&
    !isUnspecified(address) &&
    !isLoopback(address) &&
    !isMulticast(address) &&
    !isLinkLocalUnicast(address)
  );
}
