import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';

/**
 * The address at which programs of the cluster reach this server: the flag, else the bind address, else the first
 * IPv4 address of the machine. Undefined on a machine with loopback addresses only; the Service `kubernetes` then has
 * no endpoints.
 */
export function advertisedAddress(flag: string, bindAddress: string): string | undefined {
  if (flag !== '') return flag;
  if (!isLoopback(bindAddress) && !isUnspecified(bindAddress)) return bindAddress;
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ address, internal }) => !internal && isIPv4(address))?.address;
}

function isLoopback(address: string): boolean {
  return address === '::1' || address === 'localhost' || /^127\./.test(address);
}

function isUnspecified(address: string): boolean {
  return address === '0.0.0.0' || address === '::';
}
