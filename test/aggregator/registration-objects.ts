/**
 * The objects that register a server: a Service, its endpoints, and an APIService for each version; and their status.
 */
import { type Authority, eventually, type TestScope } from '../harness/index.ts';
import {
  type Gateway,
  must,
  NAMESPACE,
  type Program,
  SERVICE,
  servingAuthority,
  startGateway,
  startWardle,
  type Wardle,
} from './gateway-program.ts';

export const GROUP = 'wardle.example.com';
export const APISERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';
const SERVICES = `/api/v1/namespaces/${NAMESPACE}/services`;
const SLICES = `/apis/discovery.k8s.io/v1/namespaces/${NAMESPACE}/endpointslices`;

export function apiServicePath(version: string): string {
  return `${APISERVICES}/${version}.${GROUP}`;
}

export function flundersPath(version: string, namespace = 'default'): string {
  return `/apis/${GROUP}/${version}/namespaces/${namespace}/flunders`;
}

export function service(name = SERVICE, port = 443): object {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: NAMESPACE },
    spec: { ports: [{ port, protocol: 'TCP', targetPort: 7443 }] },
  };
}

export interface Endpoint {
  readonly port: number;
  readonly ready?: boolean;
}

/** The ports of a slice are those of all its endpoints, so each endpoint that has its own port is a slice. */
export function endpointSlice({ port, ready = true }: Endpoint, name = SERVICE, index = 0): object {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: `${name}-${index}`,
      namespace: NAMESPACE,
      labels: { 'kubernetes.io/service-name': name },
    },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['127.0.0.1'], conditions: { ready } }],
    ports: [{ name: '', port, protocol: 'TCP' }],
  };
}

export interface Registration {
  readonly version: string;
  readonly ca: string;
  readonly service?: string;
  /** Of the group and of the version; as upstream's test has them. */
  readonly priorities?: readonly [number, number];
}

export function apiService({
  version,
  ca,
  service = SERVICE,
  priorities: [groupPriorityMinimum, versionPriority] = [2000, 200],
}: Registration): object {
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: `${version}.${GROUP}` },
    spec: {
      group: GROUP,
      version,
      groupPriorityMinimum,
      versionPriority,
      service: { namespace: NAMESPACE, name: service },
      caBundle: Buffer.from(ca).toString('base64'),
    },
  };
}

/** A service whose endpoints are these ports of this machine. */
export async function publish(
  gateway: Gateway,
  endpoints: readonly Endpoint[],
  name = SERVICE,
): Promise<void> {
  await must(gateway.send('POST', SERVICES, service(name)));
  for (const [index, endpoint] of endpoints.entries()) {
    await must(gateway.send('POST', SLICES, endpointSlice(endpoint, name, index)));
  }
}

export async function createNamespace(gateway: Gateway): Promise<void> {
  await must(gateway.send('POST', '/api/v1/namespaces', { metadata: { name: NAMESPACE } }));
}

export interface Fixtures {
  readonly gateway: Gateway;
  /** Signs the certificate of the server. */
  readonly authority: Authority;
  /** Behind a service with one endpoint, and not registered yet. */
  readonly wardle: Wardle;
}

export async function startPublished(
  scope: TestScope,
  flags: readonly string[] = [],
): Promise<Fixtures> {
  const gateway = await startGateway(scope, flags);
  const authority = servingAuthority();
  const wardle = await startWardle(scope, gateway, { authority });
  await createNamespace(gateway);
  await publish(gateway, [{ port: wardle.port }]);
  return { gateway, authority, wardle };
}

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

interface APIServiceBody {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

export function conditionsOf(body: unknown): readonly Condition[] {
  return (body as APIServiceBody).status?.conditions ?? [];
}

/** The present Available condition. */
export async function availabilityOf(
  gateway: Program,
  version: string,
): Promise<Condition | undefined> {
  const { body } = await gateway.send('GET', apiServicePath(version));
  return conditionsOf(body).find(({ type }) => type === 'Available');
}

/** The condition as soon as it has this reason; an error with the last one when it never does. */
export async function untilReason(
  gateway: Program,
  { version, reason, withinMs }: { version: string; reason: string; withinMs?: number },
): Promise<{ condition: Condition }> {
  let condition: Condition | undefined;
  const isRight = async () => {
    condition = await availabilityOf(gateway, version);
    return condition?.reason === reason && { condition };
  };
  const what = (): string => `${version} is ${reason}: ${JSON.stringify(condition)}`;
  return eventually(what, isRight, { withinMs, everyMs: POLL_MS });
}

const POLL_MS = 20;
