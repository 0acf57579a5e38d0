import type { Pod } from '@tributary/api/core-v1';
import type { ConnectInput } from '@tributary/server';
import { type ProxyAddress, proxyConnection } from '../shared/proxy/proxy.ts';
import { type AddressRule, requireAddress } from '../shared/proxy/reachable-address.ts';
import type { SchemeNamePort } from '../shared/proxy/scheme-name-port.ts';

const STANDARD = { http: 80, https: 443 };

export function podProxy(isAllowed: AddressRule): ConnectInput<Pod> {
  return proxyConnection<Pod>({
    of: 'pod',
    kind: 'PodProxyOptions',
    locate: async (asked, { object }) => podAddress(object, asked, isAllowed),
  });
}

export function podAddress(pod: Pod, asked: SchemeNamePort, isAllowed: AddressRule): ProxyAddress {
  const address = requireAddress(pod.status.podIPs?.[0]?.ip ?? '', isAllowed);
  const { scheme, port } = asked;
  const chosen = port === '' ? (firstPort(pod) ?? STANDARD[scheme]) : Number(port);
  return { scheme, address, port: chosen };
}

/** The first port of any container. */
function firstPort({ spec }: Pod): number | undefined {
  return (spec.containers ?? []).flatMap(({ ports }) => ports ?? [])[0]?.containerPort;
}
