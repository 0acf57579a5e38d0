import type { Pod } from '@tributary/api/core-v1';
import type { ConnectRequest } from '@tributary/server';
import { nodeKind } from '../node/kind.ts';
import { kubeletOf, missingNode } from '../shared/proxy/kubelet.ts';
import type { ProxyAddress } from '../shared/proxy/proxy.ts';
import { type AddressRule, requireHost } from '../shared/proxy/reachable-address.ts';

/** The kubelet of a pod; undefined until the pod is scheduled. */
export async function kubeletLocation(
  { object, read }: ConnectRequest<Pod>,
  isAllowed: AddressRule,
): Promise<ProxyAddress | undefined> {
  const { nodeName } = object.spec;
  if (!nodeName) return undefined;
  const node = await read(nodeKind).get(nodeName);
  if (node === undefined) throw missingNode(nodeName);
  const { host, port } = kubeletOf(node);
  return { scheme: 'https', address: await requireHost(host, isAllowed), port };
}
