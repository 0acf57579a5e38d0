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

export interface OwnAddress {
  /** The cluster IP of the service. */
  readonly serviceIp: string;
  /** Where this server is found; none when only this machine can. */
  readonly address: string | undefined;
  readonly port: number;
}

/** As often as upstream looks: who deletes it waits no longer than there. */
const CHECK_MS = 10_000;

/** Keeps it as it should be, from the start on. */
export function runKubernetesService(
  own: OwnAddress,
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

/** The server as a Service of its own cluster, where programs inside look for it. */
async function publishKubernetesService(
  own: OwnAddress,
  dependencies: Pick<ControllerDependencies, 'client' | 'signal'>,
): Promise<void> {
  await Promise.all([
    keep<Service>(services, serviceOf(own), dependencies, (live) => ({
      ...live,
      spec: { ...live.spec, ports: serviceOf(own).spec.ports ?? [] },
    })),
    keep<EndpointSlice>(endpointSlices, sliceOf(own), dependencies, (live) => {
      const { endpoints: addresses, ports } = sliceOf(own);
      return { ...live, endpoints: addresses, ports: ports ?? [] };
    }),
    keep<Endpoints>(endpoints, endpointsOf(own), dependencies, (live) => ({
      ...live,
      subsets: endpointsOf(own).subsets ?? [],
    })),
  ]);
}

async function keep<T extends KubeObject>(
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

function serviceOf({ serviceIp, port: targetPort }: OwnAddress): Service {
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

function sliceOf({ address, port: own }: OwnAddress): EndpointSlice {
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

function endpointsOf({ address, port: own }: OwnAddress): Endpoints {
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
