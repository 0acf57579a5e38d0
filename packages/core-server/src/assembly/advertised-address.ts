import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';

/**
 * Where programs inside the cluster find this server: an address that is not only this machine's own. None when
 * there is no such address; the Service has no endpoints then.
 */
export function advertisedAddress(wanted: string, bindAddress: string): string | undefined {
  if (wanted !== '') return wanted;
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
