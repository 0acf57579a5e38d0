/** Reads of the cluster, as the user of the kubeconfig. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { apiServices } from '@tributary/aggregator/api-services';
import type { APIService } from '@tributary/api/apiregistration-v1';
import type { Service } from '@tributary/api/core-v1';
import type { EndpointSlice } from '@tributary/api/discovery-v1';
import { type KubeObject, StatusError } from '@tributary/apimachinery';
import { type Client, type ResourceType, TransportError } from '@tributary/client';
import { configMaps, endpointSlices, roleBindings, services } from '@tributary/client/controller';
import {
  AUTHENTICATION_CONFIG_MAP,
  AUTHENTICATION_NAMESPACE,
  AUTHENTICATION_READER_ROLE,
} from '../report/fixes.ts';
import { networkProbes } from './network-probes.ts';
import {
  ClusterUnavailable,
  type FrontProxyPair,
  type ProbeResponse,
  type Probes,
  type ReadResult,
} from './probes.ts';

export interface ClusterProbeOptions {
  readonly client: Client;
  readonly dataDir: string;
  /** Whether the certificates in the data directory belong to this cluster. */
  readonly hasDataDir: boolean;
}

const READ_TIMEOUT_MS = 10_000;

type ConfigMap = KubeObject & { readonly data?: Readonly<Record<string, string>> };
type RoleBinding = KubeObject & {
  readonly roleRef?: { readonly name?: string };
  readonly subjects?: readonly { kind?: string; namespace?: string; name?: string }[];
};

export function clusterProbes({ client, dataDir, hasDataDir }: ClusterProbeOptions): Probes {
  const options = () => ({ signal: AbortSignal.timeout(READ_TIMEOUT_MS), retriesMax: 0 });
  const all = <T extends KubeObject>(
    type: ResourceType,
    namespace?: string,
    labelSelector?: string,
  ) => {
    const resource = client.resource<T>(type);
    const selection = labelSelector === undefined ? {} : { labelSelector };
    return readResult(async () => {
      const scoped = namespace === undefined ? resource : resource.in(namespace);
      return (await scoped.listAll({ ...options(), ...selection })).items;
    });
  };
  return {
    ...networkProbes,
    nowMs: () => Date.now(),
    sleep: (ms) => sleep(ms),
    apiService: (name) =>
      readResult(() => client.resource<APIService & KubeObject>(apiServices).get(name, options())),
    apiServices: () => all<APIService & KubeObject>(apiServices),
    service: ({ namespace, name }) =>
      readResult(() =>
        client.resource<Service & KubeObject>(services).in(namespace).get(name, options()),
      ),
    services: (namespace) => all<Service & KubeObject>(services, namespace),
    endpointSlices: ({ namespace, name }) =>
      all<EndpointSlice & KubeObject>(
        endpointSlices,
        namespace,
        `kubernetes.io/service-name=${name}`,
      ),
    authenticationConfig: () =>
      readResult(async () => {
        const resource = client.resource<ConfigMap>(configMaps).in(AUTHENTICATION_NAMESPACE);
        return (await resource.get(AUTHENTICATION_CONFIG_MAP, options())).data ?? {};
      }),
    authenticationReaders: async () => {
      const found = await all<RoleBinding>(roleBindings, AUTHENTICATION_NAMESPACE);
      if (found.kind !== 'found') return found;
      const bound = found.value.filter(
        ({ roleRef }) => roleRef?.name === AUTHENTICATION_READER_ROLE,
      );
      const value = bound
        .flatMap(({ subjects }) => subjects ?? [])
        .map(({ kind = '', namespace = '', name = '' }) => `${kind}:${namespace}:${name}`);
      return { kind: 'found', value };
    },
    frontProxyPair: () => readFrontProxyPair(dataDir, hasDataDir),
    localCa: (group) => readText(join(dataDir, 'pki', 'servers', group, 'ca.crt')),
    requestThroughAggregator: (request) => requestThroughAggregator(client, request),
  };
}

/** A 404 or 403 is a result; any other failure ends the diagnosis. */
async function readResult<T>(read: () => Promise<T>): Promise<ReadResult<T>> {
  try {
    return { kind: 'found', value: await read() };
  } catch (error) {
    if (error instanceof StatusError && error.code === 404) return { kind: 'missing' };
    if (error instanceof StatusError && error.code === 403) {
      return { kind: 'forbidden', message: error.message };
    }
    throw new ClusterUnavailable(`the API server does not respond: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

async function readFrontProxyPair(dataDir: string, hasDataDir: boolean): Promise<FrontProxyPair> {
  const directory = join(dataDir, 'pki');
  const certFile = join(directory, 'front-proxy-client.crt');
  const caFile = join(directory, 'front-proxy-ca.crt');
  const cert = hasDataDir ? await readText(certFile) : undefined;
  if (cert === undefined) {
    const reason = hasDataDir ? `${certFile} cannot be read` : 'no --data-dir';
    return {
      kind: 'none',
      message: `the front-proxy client certificate is not on this machine (${reason})`,
    };
  }
  const key = await readText(join(directory, 'front-proxy-client.key'));
  return { kind: 'pair', certFile, cert, key, caFile, ca: await readText(caFile) };
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined; // missing or unreadable: the caller reports both in the same way
  }
}

async function requestThroughAggregator(
  { transport }: Client,
  { path, timeoutMs }: { readonly path: string; readonly timeoutMs: number },
): Promise<ProbeResponse> {
  const startMs = performance.now();
  try {
    const { status, headers, body } = await transport.request('GET', path, {
      headers: { accept: 'application/json' },
      anyStatus: true,
      retriesMax: 0,
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { kind: 'response', status, headers, body, durationMs: performance.now() - startMs };
  } catch (error) {
    const code = error instanceof TransportError ? error.code : 'ETIMEDOUT';
    return { kind: 'failed', code, message: (error as Error).message };
  }
}
