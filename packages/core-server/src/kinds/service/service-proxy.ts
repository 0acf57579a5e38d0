/** Requests to a service go on to one of the pods behind it. */
import { goQuote, notFound, serviceUnavailable } from '@tributary/apimachinery';
import type { Client } from '@tributary/client';
import type { ConnectInput } from '@tributary/server';
import { unlessMissing } from '../../controllers/conflicts.ts';
import { endpoints, pods } from '../../controllers/resources.ts';
import type {
  EndpointAddress,
  EndpointSubset,
  Endpoints,
  Pod,
  Service,
} from '../../generated/core-v1.ts';
import { type Place, proxyConnection } from '../reach/proxy.ts';
import { type AddressRule, requireAddress } from '../reach/reachable-address.ts';
import type { SchemeNamePort } from '../reach/scheme-name-port.ts';

export interface ServiceProxyParts {
  readonly client: () => Client;
  readonly isAllowed: AddressRule;
  /** Between 0 and 1, for the choice among several. */
  readonly random?: () => number;
}

export function serviceProxy(parts: ServiceProxyParts): ConnectInput<Service> {
  return proxyConnection<Service>({
    of: 'service',
    kind: 'ServiceProxyOptions',
    locate: (asked, { object, request }) => servicePlace(object, request.info.name, asked, parts),
  });
}

async function servicePlace(
  service: Service,
  id: string,
  asked: SchemeNamePort,
  { client, isAllowed, random = Math.random }: ServiceProxyParts,
): Promise<Place> {
  const { name } = asked;
  const { namespace = '' } = service.metadata;
  const port = portName(service, asked);
  const found = await unlessMissing(
    client().resource<Endpoints>(endpoints).in(namespace).get(name),
  );
  if (found === undefined) throw notFound({ group: '', resource: 'services' }, name);
  const subsets = found.subsets ?? [];
  if (subsets.length === 0) throw noEndpoints(name);
  const isPod = (address: EndpointAddress) => isOfPod(address, namespace, client());
  for (const subset of turned(subsets, random())) {
    const chosen = await addressOf(subset, port, { isPod, random });
    if (chosen === undefined) continue;
    return { scheme: asked.scheme, ...chosen, address: requireAddress(chosen.address, isAllowed) };
  }
  throw noEndpoints(id);
}

function noEndpoints(of: string) {
  return serviceUnavailable(`no endpoints available for service ${goQuote(of)}`);
}

/** Who says a number means the port of the service, which the endpoints know by its name. */
function portName({ spec }: Service, { name, port }: SchemeNamePort): string {
  if (!/^[+-]?\d+$/.test(port)) return port;
  const declared = (spec.ports ?? []).find((one) => one.port === Number(port));
  if (declared !== undefined) return declared.name ?? '';
  throw serviceUnavailable(`no service port ${Number(port)} found for service ${goQuote(name)}`);
}

async function addressOf(
  { addresses = [], ports = [] }: EndpointSubset,
  name: string,
  {
    isPod,
    random,
  }: {
    readonly isPod: (address: EndpointAddress) => Promise<boolean>;
    readonly random: () => number;
  },
): Promise<{ address: string; port: number } | undefined> {
  const port = ports.find((one) => (one.name ?? '') === name);
  if (port === undefined) return undefined;
  for (const address of turned(addresses, random())) {
    if (await isPod(address)) return { address: address.ip, port: port.port };
  }
  return undefined;
}

/** Anybody may write down addresses; only those of pods are reached. */
async function isOfPod(
  { ip, targetRef }: EndpointAddress,
  namespace: string,
  client: Client,
): Promise<boolean> {
  if (!targetRef?.name || targetRef.namespace !== namespace) return false;
  const pod = await unlessMissing(client.resource<Pod>(pods).in(namespace).get(targetRef.name));
  return pod?.status.podIPs?.some((one) => one.ip === ip) ?? false;
}

/** All of them, from some place on. */
function turned<T>(list: readonly T[], random: number): T[] {
  const first = Math.floor(random * list.length);
  return [...list.slice(first), ...list.slice(0, first)];
}
