import { isDeepStrictEqual } from 'node:util';
import type { Endpoints, Service } from '@tributary/api/core-v1';
import type { EndpointSlice } from '@tributary/api/discovery-v1';
import type { KubeObject } from '@tributary/apimachinery';
import type { ResourceType } from '@tributary/client';
import {
  type ControllerDependencies,
  endpointSlices,
  endpoints,
  isNotFound,
  isWriteConflict,
  keyedController,
  services,
} from '@tributary/client/controller';

const NAMESPACE = 'default';
const NAME = 'kubernetes';
const labels = { component: 'apiserver', provider: 'kubernetes' };
const port = { name: 'https', protocol: 'TCP' };

export interface ServerAddress {
  /** The cluster IP of the Service. */
  readonly serviceIp: string;
  /** The endpoint; undefined when the server is reachable from this machine only. */
  readonly address: string | undefined;
  readonly port: number;
}

/** Upstream's interval. */
const CHECK_MS = 10_000;

/** Keeps the Service `kubernetes` and its endpoints up to date. */
export function runKubernetesService(
  own: ServerAddress,
  dependencies: Omit<ControllerDependencies, 'informers'>,
): Promise<void> {
  const { queue, done } = keyedController(
    {
      name: 'kubernetes-service',
      retryMsMax: CHECK_MS,
      reconcile: async (key) => {
        await publishKubernetesService(own, dependencies);
        queue.addAfter(key, CHECK_MS);
      },
    },
    dependencies,
  );
  queue.add(NAME);
  return done;
}

/** Publishes this server as a Service in its own cluster. */
async function publishKubernetesService(
  own: ServerAddress,
  dependencies: Pick<ControllerDependencies, 'client' | 'signal'>,
): Promise<void> {
  await Promise.all([
    ensure<Service>(services, serviceOf(own), dependencies, (live) => ({
      ...live,
      spec: { ...live.spec, ports: serviceOf(own).spec.ports ?? [] },
    })),
    ensure<EndpointSlice>(endpointSlices, sliceOf(own), dependencies, (live) => {
      const { endpoints: addresses, ports } = sliceOf(own);
      return { ...live, endpoints: addresses, ports: ports ?? [] };
    }),
    ensure<Endpoints>(endpoints, endpointsOf(own), dependencies, (live) => ({
      ...live,
      subsets: endpointsOf(own).subsets ?? [],
    })),
  ]);
}

async function ensure<T extends KubeObject>(
  type: ResourceType,
  wanted: T,
  { client, signal }: Pick<ControllerDependencies, 'client' | 'signal'>,
  corrected: (live: T) => T,
): Promise<void> {
  const all = client.resource<T>(type).in(NAMESPACE);
  try {
    const live = await all.get(NAME, { signal });
    const next = corrected(live);
    if (!isDeepStrictEqual(next, live)) await all.update(next, { signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await all.create(wanted, { signal }).catch((failure: unknown) => {
      if (!isWriteConflict(failure)) throw failure;
    });
  }
}

function serviceOf({ serviceIp, port: targetPort }: ServerAddress): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: NAME, namespace: NAMESPACE, labels },
    spec: {
      type: 'ClusterIP',
      clusterIP: serviceIp,
      ports: [{ ...port, port: 443, targetPort }],
    },
    status: { loadBalancer: {} },
  };
}

function sliceOf({ address, port: own }: ServerAddress): EndpointSlice {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: NAME,
      namespace: NAMESPACE,
      labels: { 'kubernetes.io/service-name': NAME },
    },
    addressType: address?.includes(':') ? 'IPv6' : 'IPv4',
    endpoints: address === undefined ? [] : [{ addresses: [address], conditions: { ready: true } }],
    ports: [{ ...port, port: own }],
  };
}

function endpointsOf({ address, port: own }: ServerAddress): Endpoints {
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: {
      name: NAME,
      namespace: NAMESPACE,
      labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' },
    },
    ...(address !== undefined && {
      subsets: [{ addresses: [{ ip: address }], ports: [{ ...port, port: own }] }],
    }),
  };
}
