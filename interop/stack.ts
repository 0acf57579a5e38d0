/** The original: etcd, kube-apiserver and the Go sample-apiserver, on the loopback interface. */
import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  acceptsConnections,
  allOf,
  createPki,
  createScope,
  eventually,
  freePort,
  httpsRequest,
  type KeyPair,
  kubeconfig,
  type Pki,
  type PkiFiles,
  type ReadyCheck,
  respondsHttps,
  type StartedProcess,
  startProcess,
  type TestScope,
  temporaryDirectory,
  withFreePort,
  writePki,
} from '../test/harness/index.ts';
import { type PeerName, peerVersion, requirePeer } from './peers/peers.ts';

export interface ReferenceStackOptions {
  /** Shows the logs of the servers when this test fails, and stops them after it at the latest. */
  scope?: TestScope;
  /** etcd reaches the disk before it answers, as in production. Off by default: tests do not need it. */
  durable?: boolean;
  /** Serves wardle.example.com also through the aggregator of kube-apiserver. Off by default. */
  aggregate?: boolean;
  kubeApiserverFlags?: readonly string[];
  sampleApiserverFlags?: readonly string[];
}

/** How to reach a server as a member of `system:masters`. */
export interface ServerAccess {
  url: string;
  /** PEM, and a file with it. */
  ca: string;
  caFile: string;
  /** PEM of the client's certificate and key. */
  admin: KeyPair;
  /** The path of a kubeconfig. */
  adminKubeconfig: string;
}

export interface ReferenceStack extends AsyncDisposable {
  etcdUrl: string;
  kubeApiserver: ServerAccess;
  sampleApiserver: ServerAccess;
  /** To issue certificates of other users, and to come as an aggregator. */
  pki: Pki;
  /** Signs the tokens of service accounts. */
  serviceAccountKeyFile: string;
  versions: { etcd: string; kubeApiserver: string; sampleApiserver: string };
  /** In the order in which they were started. */
  processes: readonly PeerProcess[];
  /** Ends all servers and removes their files; twice is harmless. */
  stop(): Promise<void>;
}

export interface PeerProcess {
  readonly name: PeerName;
  readonly pid: number;
  /** From its start until it was ready. */
  readonly readyMs: number;
}

export async function startReferenceStack(
  options: ReferenceStackOptions = {},
): Promise<ReferenceStack> {
  const own = createScope('reference stack');
  const running: StartedProcess[] = [];
  const processes: PeerProcess[] = [];
  const stop = async (): Promise<void> => {
    for (const server of running.toReversed()) await server.stop();
    await own.close();
  };
  try {
    const started = await startServers(options, {
      scope: options.scope ?? own,
      running,
      processes,
    });
    const versions = {
      etcd: peerVersion('etcd'),
      kubeApiserver: peerVersion('kube-apiserver'),
      sampleApiserver: peerVersion('sample-apiserver'),
    };
    return { ...started, versions, processes, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Owner = { scope: TestScope; running: StartedProcess[]; processes: PeerProcess[] };
type Servers = Pick<
  ReferenceStack,
  'etcdUrl' | 'kubeApiserver' | 'sampleApiserver' | 'pki' | 'serviceAccountKeyFile'
>;

async function startServers(options: ReferenceStackOptions, owner: Owner): Promise<Servers> {
  const directory = await temporaryDirectory(owner.scope, 'reference-');
  const pki = await createPki();
  const site: Site = { ...owner, directory, pki, files: await writePki(directory, pki) };
  const etcdUrl = await startEtcd(site, options);
  const keys = await writeServiceAccountKeys(directory);
  const kubeApiserver = await startKubeApiserver(site, { ...options, etcdUrl, keys });
  const sampleApiserver = await startSampleApiserver(site, { ...options, etcdUrl, kubeApiserver });
  if (options.aggregate) await registerSample(kubeApiserver, sampleApiserver);
  const serviceAccountKeyFile = keys.privateFile;
  return { etcdUrl, kubeApiserver, sampleApiserver, pki, serviceAccountKeyFile };
}

/** Shared by all servers of one stack. */
interface Site extends Owner {
  directory: string;
  pki: Pki;
  files: PkiFiles;
}

async function startEtcd(
  site: Owner & { directory: string },
  { durable = false }: ReferenceStackOptions,
): Promise<string> {
  const peerUrl = `http://127.0.0.1:${await freePort()}`;
  const port = await startPeer(site, 'etcd', (port) => ({
    flags: [
      `--data-dir=${join(site.directory, `etcd-${port}`)}`,
      `--listen-client-urls=http://127.0.0.1:${port}`,
      `--advertise-client-urls=http://127.0.0.1:${port}`,
      `--listen-peer-urls=${peerUrl}`,
      `--initial-advertise-peer-urls=${peerUrl}`,
      `--initial-cluster=default=${peerUrl}`,
      '--log-level=warn',
      ...(durable ? [] : ['--unsafe-no-fsync']),
    ],
    ready: async ({ signal }) => (await fetch(`http://127.0.0.1:${port}/readyz`, { signal })).ok,
  }));
  return `http://127.0.0.1:${port}`;
}

async function startKubeApiserver(
  site: Site,
  options: ReferenceStackOptions & { etcdUrl: string; keys: ServiceAccountKeys },
): Promise<ServerAccess> {
  const { files } = site;
  const { keys } = options;
  const port = await startPeer(site, 'kube-apiserver', (port) => ({
    flags: [
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      `--etcd-servers=${options.etcdUrl}`,
      `--tls-cert-file=${files.serverCertFile}`,
      `--tls-private-key-file=${files.serverKeyFile}`,
      `--client-ca-file=${files.caFile}`,
      '--authorization-mode=RBAC',
      '--service-cluster-ip-range=10.0.0.0/24',
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${keys.publicFile}`,
      `--service-account-signing-key-file=${keys.privateFile}`,
      `--requestheader-client-ca-file=${files.frontProxyCaFile}`,
      '--requestheader-allowed-names=front-proxy-client',
      '--requestheader-username-headers=X-Remote-User',
      '--requestheader-group-headers=X-Remote-Group',
      '--requestheader-extra-headers-prefix=X-Remote-Extra-',
      `--proxy-client-cert-file=${files.frontProxyClientCertFile}`,
      `--proxy-client-key-file=${files.frontProxyClientKeyFile}`,
      // It would publish its own address as an endpoint, and refuse it for being a loopback address.
      '--advertise-address=127.0.0.1',
      '--endpoint-reconciler-type=none',
      ...(options.kubeApiserverFlags ?? []),
    ],
    // The namespace may come after the server calls itself ready, and most requests need it.
    ready: allOf(
      respondsHttps(`https://127.0.0.1:${port}/readyz`, asAdmin(site)),
      respondsHttps(`https://127.0.0.1:${port}/api/v1/namespaces/default`, asAdmin(site)),
    ),
  }));
  return accessTo(site, 'kube-apiserver', port);
}

async function startSampleApiserver(
  site: Site,
  options: Pick<ReferenceStackOptions, 'sampleApiserverFlags'> & {
    etcdUrl: string;
    kubeApiserver: Pick<ServerAccess, 'adminKubeconfig'>;
  },
): Promise<ServerAccess> {
  const { adminKubeconfig } = options.kubeApiserver;
  const serving = await writeServingCertificate(site);
  const port = await startPeer(site, 'sample-apiserver', (port) => ({
    flags: [
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      `--etcd-servers=${options.etcdUrl}`,
      `--tls-cert-file=${serving.certFile}`,
      `--tls-private-key-file=${serving.keyFile}`,
      `--kubeconfig=${adminKubeconfig}`,
      `--authentication-kubeconfig=${adminKubeconfig}`,
      `--authorization-kubeconfig=${adminKubeconfig}`,
      ...(options.sampleApiserverFlags ?? []),
    ],
    ready: respondsHttps(`https://127.0.0.1:${port}/readyz`, asAdmin(site)),
  }));
  return accessTo(site, 'sample-apiserver', port);
}

/** The Go sample-apiserver with an etcd of its own, for a control plane that is not the original. */
export async function startSampleBehind(
  scope: TestScope,
  front: { pki: Pki; adminKubeconfig: string },
): Promise<ServerAccess> {
  const directory = await temporaryDirectory(scope, 'sample-');
  const { pki } = front;
  const files = await writePki(directory, pki);
  const site: Site = { scope, running: [], processes: [], directory, pki, files };
  const etcdUrl = await startEtcd(site, {});
  return startSampleApiserver(site, { etcdUrl, kubeApiserver: front });
}

/** An etcd for servers that a test starts in its own way. */
export async function startEtcdAlone(scope: TestScope): Promise<string> {
  const directory = await temporaryDirectory(scope, 'etcd-');
  return startEtcd({ scope, running: [], processes: [], directory }, {});
}

/** The properties of a server that a write needs. */
type AdminAccess = Pick<ServerAccess, 'url' | 'ca' | 'admin'>;

const SERVICE = { namespace: 'wardle', name: 'api' };
/** The DNS name in the certificate of the sample. */
export const SAMPLE_SERVER_NAME: string = `${SERVICE.name}.${SERVICE.namespace}.svc`;
const GROUP = 'wardle.example.com';
const AVAILABLE = { withinMs: 60_000, everyMs: 50 };

/**
 * Endpoints may not be loopback addresses, but the name of an ExternalName service may lead to one. The
 * aggregator then connects to that name at the port of the APIService.
 */
export async function registerSample(
  kube: AdminAccess,
  sample: Pick<ServerAccess, 'url' | 'ca'>,
): Promise<void> {
  const { namespace, name } = SERVICE;
  const port = Number(new URL(sample.url).port);
  await create(kube, '/api/v1/namespaces', { metadata: { name: namespace } });
  await create(kube, `/api/v1/namespaces/${namespace}/services`, {
    metadata: { name },
    spec: { type: 'ExternalName', externalName: 'localhost' },
  });
  const path = '/apis/apiregistration.k8s.io/v1/apiservices';
  const caBundle = Buffer.from(sample.ca).toString('base64');
  for (const [index, version] of ['v1alpha1', 'v1beta1'].entries()) {
    await create(kube, path, {
      metadata: { name: `${version}.${GROUP}` },
      spec: {
        group: GROUP,
        version,
        groupPriorityMinimum: 1000,
        versionPriority: 15 + index,
        service: { namespace, name, port },
        caBundle,
      },
    });
  }
  await waitForGroup(kube);
}

async function create(server: AdminAccess, path: string, body: unknown): Promise<void> {
  const response = await httpsRequest(server.url + path, {
    method: 'POST',
    body,
    ca: server.ca,
    ...server.admin,
  });
  if (response.status !== 201) throw new Error(`POST ${path}: ${response.status} ${response.body}`);
}

/** Every version answers through the aggregator, which means its APIService is available. */
async function waitForGroup({ url, ca, admin }: AdminAccess): Promise<void> {
  for (const version of ['v1alpha1', 'v1beta1']) {
    const path = `${url}/apis/${GROUP}/${version}`;
    const isServed = async () => (await httpsRequest(path, { ca, ...admin })).status === 200;
    await eventually(`${path} is served`, isServed, AVAILABLE);
  }
}

const READY_TIMEOUT_MS = 90_000; // About 4 s on an idle machine.

/** Starts a peer on a free port, and gives the port. */
async function startPeer(
  { scope, running, processes }: Owner,
  name: PeerName,
  server: (port: number) => { flags: readonly string[]; ready: ReadyCheck },
): Promise<number> {
  const command = requirePeer(name);
  return withFreePort(async (port) => {
    const { flags, ready } = server(port);
    const startedAt = performance.now();
    const started = await startProcess(scope, {
      name,
      command,
      args: flags,
      ready: allOf(acceptsConnections(port), ready),
      readyTimeoutMs: READY_TIMEOUT_MS,
      graceMs: 0, // Its data go with it, so there is nothing to end cleanly.
    });
    running.push(started);
    processes.push({ name, pid: started.pid, readyMs: performance.now() - startedAt });
    return port;
  });
}

async function accessTo(site: Site, name: PeerName, port: number): Promise<ServerAccess> {
  const url = `https://127.0.0.1:${port}`;
  const { ca, admin } = site.pki;
  const adminKubeconfig = join(site.directory, `${name}.kubeconfig`);
  await writeFile(adminKubeconfig, kubeconfig({ server: url, ca: ca.cert, user: admin }), {
    mode: 0o600,
  });
  return { url, ca: ca.cert, caFile: site.files.caFile, admin, adminKubeconfig };
}

function asAdmin({ pki }: Site): { ca: string } & KeyPair {
  return { ca: pki.ca.cert, ...pki.admin };
}

/** The aggregator asks for the name of the service, direct clients for the address. */
async function writeServingCertificate({
  directory,
  pki,
}: Site): Promise<{ certFile: string; keyFile: string }> {
  const { cert, key } = await pki.ca.issue({
    commonName: 'sample-apiserver',
    names: ['localhost', '127.0.0.1', SAMPLE_SERVER_NAME],
    usage: 'server',
  });
  const certFile = join(directory, 'sample-apiserver.crt');
  const keyFile = join(directory, 'sample-apiserver.key');
  await writeFile(certFile, cert);
  await writeFile(keyFile, key, { mode: 0o600 });
  return { certFile, keyFile };
}

interface ServiceAccountKeys {
  publicFile: string;
  privateFile: string;
}

async function writeServiceAccountKeys(directory: string): Promise<ServiceAccountKeys> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const publicFile = join(directory, 'service-accounts.pub');
  const privateFile = join(directory, 'service-accounts.key');
  await writeFile(publicFile, publicKey);
  await writeFile(privateFile, privateKey, { mode: 0o600 });
  return { publicFile, privateFile };
}
