/** How the doctor sees the cluster: reads alone, as the user of the kubeconfig. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { APIService } from '@tributary/api/apiregistration-v1';
import type { Service } from '@tributary/api/core-v1';
import type { EndpointSlice } from '@tributary/api/discovery-v1';
import { type KubeObject, StatusError } from '@tributary/apimachinery';
import { type Client, type ResourceType, TransportError } from '@tributary/client';
import { endpointSlices, services } from '@tributary/client/controller';
import { apiServices } from '../kinds/resources.ts';
import { TRUST_NAME, TRUST_NAMESPACE, TRUST_ROLE } from './fixes.ts';
import { type Answer, CannotAsk, type IdentitySeen, type Look, type Seen } from './look.ts';
import { networkLook } from './network-look.ts';

export interface LookOptions {
  readonly client: Client;
  readonly dataDir: string;
  /** Whether the certificates there are of this cluster. */
  readonly hasDataDir: boolean;
}

const CALL_TIMEOUT_MS = 10_000;
const configMaps: ResourceType = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  namespaced: true,
};
const roleBindings: ResourceType = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  plural: 'rolebindings',
  namespaced: true,
};

type ConfigMap = KubeObject & { readonly data?: Readonly<Record<string, string>> };
type RoleBinding = KubeObject & {
  readonly roleRef?: { readonly name?: string };
  readonly subjects?: readonly { kind?: string; namespace?: string; name?: string }[];
};

export function clusterLook({ client, dataDir, hasDataDir }: LookOptions): Look {
  const options = () => ({ signal: AbortSignal.timeout(CALL_TIMEOUT_MS), retriesMax: 0 });
  const all = <T extends KubeObject>(
    type: ResourceType,
    namespace?: string,
    labelSelector?: string,
  ) => {
    const resource = client.resource<T>(type);
    const selection = labelSelector === undefined ? {} : { labelSelector };
    return seen(async () => {
      const scoped = namespace === undefined ? resource : resource.in(namespace);
      return (await scoped.listAll({ ...options(), ...selection })).items;
    });
  };
  return {
    ...networkLook,
    nowMs: () => Date.now(),
    sleep: (ms) => sleep(ms),
    apiService: (name) =>
      seen(() => client.resource<APIService & KubeObject>(apiServices).get(name, options())),
    apiServices: () => all<APIService & KubeObject>(apiServices),
    service: ({ namespace, name }) =>
      seen(() =>
        client.resource<Service & KubeObject>(services).in(namespace).get(name, options()),
      ),
    services: (namespace) => all<Service & KubeObject>(services, namespace),
    slices: ({ namespace, name }) =>
      all<EndpointSlice & KubeObject>(
        endpointSlices,
        namespace,
        `kubernetes.io/service-name=${name}`,
      ),
    trust: () =>
      seen(async () => {
        const resource = client.resource<ConfigMap>(configMaps).in(TRUST_NAMESPACE);
        return (await resource.get(TRUST_NAME, options())).data ?? {};
      }),
    trustReaders: async () => {
      const found = await all<RoleBinding>(roleBindings, TRUST_NAMESPACE);
      if (found.kind !== 'found') return found;
      const bound = found.value.filter(({ roleRef }) => roleRef?.name === TRUST_ROLE);
      const value = bound
        .flatMap(({ subjects }) => subjects ?? [])
        .map(({ kind = '', namespace = '', name = '' }) => `${kind}:${namespace}:${name}`);
      return { kind: 'found', value };
    },
    identity: () => readIdentity(dataDir, hasDataDir),
    madeAuthority: (group) => readText(join(dataDir, 'pki', 'servers', group, 'ca.crt')),
    askThrough: (question) => askThrough(client, question),
  };
}

/** What cannot be read is said; what cannot be asked ends everything. */
async function seen<T>(read: () => Promise<T>): Promise<Seen<T>> {
  try {
    return { kind: 'found', value: await read() };
  } catch (error) {
    if (error instanceof StatusError && error.code === 404) return { kind: 'missing' };
    if (error instanceof StatusError && error.code === 403) {
      return { kind: 'refused', why: error.message };
    }
    throw new CannotAsk(`the API server cannot be asked: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

async function readIdentity(dataDir: string, hasDataDir: boolean): Promise<IdentitySeen> {
  const directory = join(dataDir, 'pki');
  const certFile = join(directory, 'front-proxy-client.crt');
  const caFile = join(directory, 'front-proxy-ca.crt');
  const cert = hasDataDir ? await readText(certFile) : undefined;
  if (cert === undefined) {
    const why = hasDataDir ? `${certFile} cannot be read` : 'no --data-dir';
    return { kind: 'none', why: `the certificate of the front proxy is not here (${why})` };
  }
  const key = await readText(join(directory, 'front-proxy-client.key'));
  return { kind: 'pair', certFile, cert, key, caFile, ca: await readText(caFile) };
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined; // Missing or not for this user: either way it cannot be used.
  }
}

async function askThrough(
  { transport }: Client,
  { path, timeoutMs }: { readonly path: string; readonly timeoutMs: number },
): Promise<Answer> {
  const beganMs = performance.now();
  try {
    const { status, headers, body } = await transport.request('GET', path, {
      headers: { accept: 'application/json' },
      anyStatus: true,
      retriesMax: 0,
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { kind: 'answer', status, headers, body, tookMs: performance.now() - beganMs };
  } catch (error) {
    const code = error instanceof TransportError ? error.code : 'ETIMEDOUT';
    return { kind: 'failed', code, why: (error as Error).message };
  }
}
