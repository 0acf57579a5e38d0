/** The address of the kubelet of a node. */

import type { Node } from '@tributary/api/core-v1';
import { notFound } from '@tributary/apimachinery';
import { plainError } from '../../../shared/plain-failure.ts';

const PORT = 10_250;
/** In the order of upstream's default. */
const PREFERRED = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'];

export interface Kubelet {
  readonly host: string;
  readonly port: number;
}

export function kubeletOf({ status }: Node): Kubelet {
  const addresses = status.addresses ?? [];
  const [address] = PREFERRED.flatMap((wanted) => addresses.filter(({ type }) => type === wanted));
  if (address === undefined) {
    const known = addresses.map(({ type, address: value }) => `{${type} ${value}}`).join(' ');
    throw plainError(`no preferred addresses found; known addresses: [${known}]`);
  }
  const { Port: port = 0 } = status.daemonEndpoints?.kubeletEndpoint ?? {};
  return { host: address.address, port: port > 0 ? port : PORT };
}

/** Upstream's error names a missing node as a pod. */
export function missingNode(name: string) {
  return notFound({ group: '', resource: 'pods' }, name);
}
