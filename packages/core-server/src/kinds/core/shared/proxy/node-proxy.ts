import type { Node } from '@tributary/api/core-v1';
import type { ConnectInput } from '@tributary/server';
import { kubeletOf } from './kubelet.ts';
import { type ProxyAddress, proxyConnection } from './proxy.ts';
import { type AddressRule, requireHost } from './reachable-address.ts';
import type { SchemeNamePort } from './scheme-name-port.ts';

export function nodeProxy(isAllowed: AddressRule): ConnectInput<Node> {
  return proxyConnection<Node>({
    of: 'node',
    kind: 'NodeProxyOptions',
    locate: (asked, { object }) => nodePlace(object, asked, isAllowed),
  });
}

/** The kubelet of the node, unless the request names another port. */
async function nodePlace(
  node: Node,
  { scheme, port }: SchemeNamePort,
  isAllowed: AddressRule,
): Promise<ProxyAddress> {
  const kubelet = kubeletOf(node);
  const address = await requireHost(kubelet.host, isAllowed);
  return port === '' || port === String(kubelet.port)
    ? { scheme: 'https', address, port: kubelet.port }
    : { scheme, address, port: Number(port) };
}
