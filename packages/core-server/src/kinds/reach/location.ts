import { isIPv6 } from 'node:net';

/** Where a request goes on to. */
export interface Location {
  readonly scheme: 'http' | 'https';
  /** The address that is connected to. */
  readonly address: string;
  readonly port: number;
  /** With the query, encoded. */
  readonly target: string;
}

/** As it stands in a URL. */
export function hostOf({ address, port }: Pick<Location, 'address' | 'port'>): string {
  return `${isIPv6(address) ? `[${address}]` : address}:${port}`;
}
