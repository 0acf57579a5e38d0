/**
 * The addresses that clients may reach through the control plane: never itself, its own machine or its link, where
 * servers trust clients that are so near.
 */
import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { badRequest } from '@tributary/apimachinery';

/** Whether an address may be connected to. */
export type AddressRule = (address: string) => boolean;

/** An address of one machine: a global unicast address in Go. */
export const isGlobalUnicast: AddressRule = (address) => {
  if (isIP(address) === 0) return false;
  return !unreachable().check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
};

/** An IPv4 address in IPv6 notation is checked as IPv4. */
function unreachable(): BlockList {
  const list = new BlockList();
  list.addAddress('0.0.0.0');
  list.addAddress('255.255.255.255');
  list.addSubnet('127.0.0.0', 8);
  list.addSubnet('169.254.0.0', 16);
  list.addSubnet('224.0.0.0', 4);
  list.addAddress('::', 'ipv6');
  list.addAddress('::1', 'ipv6');
  list.addSubnet('fe80::', 10, 'ipv6');
  list.addSubnet('ff00::', 8, 'ipv6');
  return list;
}

const NOT_ALLOWED = 'address not allowed';

/** The address itself; 400 when it may not be reached. */
export function requireAddress(address: string, isAllowed: AddressRule): string {
  if (!isAllowed(address)) throw badRequest(NOT_ALLOWED);
  return address;
}

/**
 * The first address of a host, all of whose addresses may be reached. The connection uses this address: the name may
 * resolve to another one later.
 */
export async function requireHost(host: string, isAllowed: AddressRule): Promise<string> {
  if (isIP(host) !== 0) return requireAddress(host, isAllowed);
  const found = await addressesOf(host);
  const [first] = found.map((address) => requireAddress(address, isAllowed));
  if (first === undefined) throw badRequest('no addresses for hostname');
  return first;
}

async function addressesOf(host: string): Promise<string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (cause) {
    // As upstream, every resolver error means the same.
    if (cause instanceof Error) throw badRequest(`lookup ${host}: no such host`);
    throw cause;
  }
}
