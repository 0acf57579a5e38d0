/** The `proxy` subresource of services: requests are forwarded to one of the pods in its EndpointSlices. */

import type { Pod, Service } from '@tributary/api/core-v1';
import type { Endpoint, EndpointSlice } from '@tributary/api/discovery-v1';
import type { IpFamily } from '@tributary/apimachinery';
import { goQuote, labelValueErrors, notFound, serviceUnavailable } from '@tributary/apimachinery';
import type { Client } from '@tributary/client';
import { endpointSlices, ignoreNotFound, pods } from '@tributary/client/controller';
import type { ConnectInput } from '@tributary/server';
import { type ProxyAddress, proxyConnection } from '../shared/proxy/proxy.ts';
import { type AddressRule, requireAddress } from '../shared/proxy/reachable-address.ts';
import type { SchemeNamePort } from '../shared/proxy/scheme-name-port.ts';

export interface ServiceProxyParts {
  readonly client: () => Client;
  readonly isAllowed: AddressRule;
  /** Addresses of this family are preferred. */
  readonly primaryFamily: IpFamily;
  /** In [0, 1), for the choice among several. */
  readonly random?: () => number;
}

const SERVICE_NAME_LABEL = 'kubernetes.io/service-name';

export function serviceProxy(parts: ServiceProxyParts): ConnectInput<Service> {
  return proxyConnection<Service>({
    of: 'service',
    kind: 'ServiceProxyOptions',
    locate: (asked, { object, request }) =>
      servicePlace(asked, { service: object, namespace: request.info.namespace }, parts),
    // Upstream reads the service only to translate a port number.
    locateMissing: (asked, { request }) =>
      servicePlace(asked, { service: undefined, namespace: request.info.namespace }, parts),
  });
}

async function servicePlace(
  asked: SchemeNamePort,
  { service, namespace }: { service: Service | undefined; namespace: string },
  { client, isAllowed, primaryFamily, random = Math.random }: ServiceProxyParts,
): Promise<ProxyAddress> {
  const { name, scheme } = asked;
  const port = portName(service, asked);
  const slices = await slicesOf(name, namespace, client());
  const preferred = turned(slices, random()).sort(
    (a, b) => Number(b.addressType === primaryFamily) - Number(a.addressType === primaryFamily),
  );
  const isPod = (endpoint: Endpoint) => isOfPod(endpoint, namespace, client());
  for (const slice of preferred) {
    const chosen = await addressIn(slice, port, { isPod, random });
    if (chosen === undefined) continue;
    return { scheme, ...chosen, address: requireAddress(chosen.address, isAllowed) };
  }
  throw serviceUnavailable(`no endpoints available for service ${goQuote(name)}`);
}

async function slicesOf(
  name: string,
  namespace: string,
  client: Client,
): Promise<readonly EndpointSlice[]> {
  if (labelValueErrors(name).length > 0) return [];
  const labelSelector = `${SERVICE_NAME_LABEL}=${name}`;
  const { items } = await client
    .resource<EndpointSlice>(endpointSlices)
    .in(namespace)
    .listAll({ labelSelector });
  return items;
}

/** A number is a port of the service, whose name the endpoints have. */
function portName(service: Service | undefined, { name, port }: SchemeNamePort): string {
  if (!/^[+-]?\d+$/.test(port)) return port;
  if (service === undefined) throw notFound({ group: '', resource: 'services' }, name);
  const declared = (service.spec.ports ?? []).find((one) => one.port === Number(port));
  if (declared !== undefined) return declared.name ?? '';
  throw serviceUnavailable(`no service port ${Number(port)} found for service ${goQuote(name)}`);
}

async function addressIn(
  { endpoints, ports }: EndpointSlice,
  name: string,
  {
    isPod,
    random,
  }: {
    readonly isPod: (endpoint: Endpoint) => Promise<boolean>;
    readonly random: () => number;
  },
): Promise<{ address: string; port: number } | undefined> {
  for (const port of ports ?? []) {
    if (port.name !== name || port.port === undefined) continue;
    for (const endpoint of turned(endpoints ?? [], random())) {
      const address = endpoint.addresses?.[0];
      if (address === undefined || endpoint.conditions.ready === false) continue;
      if (await isPod(endpoint)) return { address, port: port.port };
    }
  }
  return undefined;
}

/** Clients may write any address into a slice; only addresses of pods are used. */
async function isOfPod(
  { addresses, targetRef }: Endpoint,
  namespace: string,
  client: Client,
): Promise<boolean> {
  if (!targetRef?.name || targetRef.namespace !== namespace) return false;
  const pod = await ignoreNotFound(client.resource<Pod>(pods).in(namespace).get(targetRef.name));
  return pod?.status.podIPs?.some((one) => one.ip === addresses?.[0]) ?? false;
}

/** The list, rotated to begin at a random item. */
function turned<T>(list: readonly T[], random: number): T[] {
  const first = Math.floor(random * list.length);
  return [...list.slice(first), ...list.slice(0, first)];
}
