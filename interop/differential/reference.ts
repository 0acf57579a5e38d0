/** The Go sample-apiserver as a target. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  acceptsConnections,
  allOf,
  freePort,
  httpsRequest,
  type ReadyCheck,
  respondsHttps,
  startProcess,
  type TestScope,
  temporaryDirectory,
  withFreePort,
} from '../../test/harness/index.ts';
import { type PeerName, requirePeer } from '../peers/peers.ts';
import { type ReferenceStack, startReferenceStack } from '../stack.ts';
import { httpsTarget, type Target } from './target.ts';
import { unregisteredServers } from './unregistered-servers.ts';

const READY_TIMEOUT_MS = 90_000;

/**
 * Rows compare resourceVersions for equality, and one etcd counts the writes of all its clients. So this
 * sample-apiserver has an etcd of its own, without a compactor.
 */
export async function startReference(scope: TestScope): Promise<Target> {
  const stack = await startReferenceStack({ scope });
  const directory = await temporaryDirectory(scope, 'differential-');
  const etcdUrl = await startQuietEtcd(scope, directory);
  await makeHistory(etcdUrl);
  const url = await startSampleApiserver(scope, { stack, directory, etcdUrl });
  return httpsTarget({
    name: 'sample-apiserver',
    version: stack.versions.sampleApiserver,
    url,
    ca: stack.pki.ca.cert,
    credentials: { admin: stack.pki.admin, ...(await unregisteredServers()) },
    prepareNamespace: (namespace) => createNamespace(stack, namespace),
  });
}

async function startQuietEtcd(scope: TestScope, directory: string): Promise<string> {
  const peerUrl = `http://127.0.0.1:${await freePort()}`;
  const port = await startPeer(scope, 'etcd', (port) => ({
    flags: [
      `--data-dir=${join(directory, `etcd-${port}`)}`,
      `--listen-client-urls=http://127.0.0.1:${port}`,
      `--advertise-client-urls=http://127.0.0.1:${port}`,
      `--listen-peer-urls=${peerUrl}`,
      `--initial-advertise-peer-urls=${peerUrl}`,
      `--initial-cluster=default=${peerUrl}`,
      '--log-level=warn',
      '--unsafe-no-fsync',
    ],
    ready: async ({ signal }) => (await fetch(`http://127.0.0.1:${port}/readyz`, { signal })).ok,
  }));
  return `http://127.0.0.1:${port}`;
}

interface SampleOptions {
  stack: ReferenceStack;
  directory: string;
  etcdUrl: string;
}

async function startSampleApiserver(scope: TestScope, options: SampleOptions): Promise<string> {
  const { stack, directory, etcdUrl } = options;
  const serving = {
    cert: join(directory, 'sample-apiserver.crt'),
    key: join(directory, 'sample-apiserver.key'),
  };
  await writeFile(serving.cert, stack.pki.server.cert);
  await writeFile(serving.key, stack.pki.server.key, { mode: 0o600 });
  const kubeconfig = stack.kubeApiserver.adminKubeconfig;
  const port = await startPeer(scope, 'sample-apiserver', (port) => ({
    flags: [
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      `--etcd-servers=${etcdUrl}`,
      '--etcd-compaction-interval=0',
      `--tls-cert-file=${serving.cert}`,
      `--tls-private-key-file=${serving.key}`,
      `--kubeconfig=${kubeconfig}`,
      `--authentication-kubeconfig=${kubeconfig}`,
      `--authorization-kubeconfig=${kubeconfig}`,
    ],
    // It reports ready before it has read the client CA; until then the admin is anonymous.
    ready: respondsHttps(`https://127.0.0.1:${port}/apis`, {
      ca: stack.pki.ca.cert,
      ...stack.pki.admin,
    }),
  }));
  return `https://127.0.0.1:${port}`;
}

async function startPeer(
  scope: TestScope,
  name: PeerName,
  server: (port: number) => { flags: readonly string[]; ready: ReadyCheck },
): Promise<number> {
  const command = requirePeer(name);
  return withFreePort(async (port) => {
    const { flags, ready } = server(port);
    await startProcess(scope, {
      name,
      command,
      args: flags,
      ready: allOf(acceptsConnections(port), ready),
      readyTimeoutMs: READY_TIMEOUT_MS,
      graceMs: 0, // Its data go with it.
    });
    return port;
  });
}

async function createNamespace({ kubeApiserver }: ReferenceStack, name: string): Promise<void> {
  const response = await httpsRequest(`${kubeApiserver.url}/api/v1/namespaces`, {
    method: 'POST',
    body: { metadata: { name } },
    ca: kubeApiserver.ca,
    ...kubeApiserver.admin,
  });
  if (response.status !== 201)
    throw new Error(`namespace ${name}: ${response.status} ${response.body}`);
}

const HISTORY = 10;

/** Revisions that were there before the server started and are compacted: 1 is too old for everything. */
async function makeHistory(etcdUrl: string): Promise<void> {
  const key = Buffer.from('/history').toString('base64');
  for (let revision = 0; revision < HISTORY; revision += 1) {
    await callEtcd(`${etcdUrl}/v3/kv/put`, { key, value: key });
  }
  await callEtcd(`${etcdUrl}/v3/kv/compaction`, { revision: String(HISTORY), physical: true });
}

async function callEtcd(url: string, body: unknown): Promise<void> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
}
