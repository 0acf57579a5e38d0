/** Keys that hold what only one service may have. */

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

/** What a service was given without asking for it: when somebody else has it, another will do. */
export interface Picked {
  readonly dryRun: boolean;
  readonly keys: Set<string>;
}
