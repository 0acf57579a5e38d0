/** Keys of addresses and node ports, each of which belongs to one service. */

const ADDRESSES = '/registry/networking.k8s.io/ipaddresses/';
const PORTS = '/registry/core/nodeports/';

export const addressKey = (ip: string): string => ADDRESSES + ip;
export const portKey = (port: number): string => PORTS + port;

export type ReservedKey =
  | { readonly kind: 'address'; readonly ip: string }
  | { readonly kind: 'port'; readonly port: number };

export function parseReservedKey(key: string): ReservedKey | undefined {
  if (key.startsWith(ADDRESSES)) return { kind: 'address', ip: key.slice(ADDRESSES.length) };
  if (key.startsWith(PORTS)) return { kind: 'port', port: Number(key.slice(PORTS.length)) };
  return undefined;
}

/** Values that the server chose: when another service has one, the next attempt chooses another. */
export interface Allocated {
  readonly dryRun: boolean;
  readonly keys: Set<string>;
}
