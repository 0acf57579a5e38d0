import { isIPv6 } from 'node:net';

/** The destination of a forwarded request. */
export interface Location {
  readonly scheme: 'http' | 'https';
  /** The address that is connected to. */
  readonly address: string;
  readonly port: number;
  /** With the query, encoded. */
  readonly target: string;
}

/** Host and port, as in a URL. */
export function hostOf({ address, port }: Pick<Location, 'address' | 'port'>): string {
  return `${isIPv6(address) ? `[${address}]` : address}:${port}`;
}
