/** `tributary up` and two servers behind it, each of which is killed and comes back on what it has. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Gateway, programAt } from '../aggregator/gateway-program.ts';
import { adminOf, tributaryUp } from '../faults/core-program.ts';
import {
  createAuthority,
  eventually,
  freePort,
  logShows,
  runSource,
  type StartedProcess,
  startProcess,
  type TestScope,
  temporaryDirectory,
} from '../harness/index.ts';
import { coreKinds, customKinds, gadgetKinds, wardleKinds } from './kinds.ts';
import { defineCustomKinds, type GraphSite } from './run-graph.ts';

/** A program that can be killed. */
export interface Victim {
  readonly name: string;
  /** Returns when it is ready to be asked. */
  start(): Promise<void>;
  kill(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
}

export interface OurSite extends GraphSite {
  readonly core: Victim;
  readonly wardle: Victim;
  readonly gadgets: Victim;
  /** The control plane as it runs now. */
  gateway(): Gateway;
  /** The status of the group's condition Available in the control plane. */
  availabilityOf(apiService: string): Promise<string | undefined>;
  untilAvailable(status: 'True' | 'False'): Promise<void>;
}

const SOURCES = join(import.meta.dirname, '..', '..');
const NAMESPACE = 'servers';
const AVAILABLE = { withinMs: 60_000, everyMs: 50 };
const START_MS = 60_000;
const API_SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';

interface ServerBehind {
  readonly name: string;
  readonly source: string;
  readonly group: string;
  readonly versions: readonly string[];
}

const WARDLE: ServerBehind = {
  name: 'wardle',
  source: join(SOURCES, 'samples', 'wardle', 'src', 'main.ts'),
  group: 'wardle.example.com',
  versions: ['v1alpha1', 'v1beta1'],
};
const GADGETS: ServerBehind = {
  name: 'gadgets',
  source: join(import.meta.dirname, 'gadgets-server.ts'),
  group: 'gadgets.example.com',
  versions: ['v1'],
};
const apiServices = [WARDLE, GADGETS].flatMap(({ group, versions }) =>
  versions.map((version) => `${version}.${group}`),
);

export async function startOurSite(
  scope: TestScope,
  flags: readonly string[] = [],
): Promise<OurSite> {
  const dataDir = await temporaryDirectory(scope, 'gc-core-');
  const credentials = await adminOf(dataDir);
  const port = await freePort();
  const url = `https://127.0.0.1:${port}`;
  let program: ReturnType<typeof programAt> | undefined;
  const core = victim('tributary up', async () => {
    const started = await startProcess(scope, {
      name: 'tributary up',
      ...tributaryUp(dataDir, { port, flags: ['--sample=none', ...flags] }),
      ready: logShows(/is ready at https:/),
      readyTimeoutMs: START_MS,
    });
    program = programAt(url, started, credentials);
    return started;
  });
  await core.start();
  const kubeconfig = join(dataDir, 'admin.kubeconfig');
  const current = () => {
    if (program === undefined) throw new Error('the control plane does not run');
    return program;
  };
  const send: GraphSite['send'] = (...request) => current().send(...request);
  await send('POST', '/api/v1/namespaces', { metadata: { name: NAMESPACE } });
  const [wardle, gadgets] = await Promise.all([
    startBehind(scope, WARDLE, { send, kubeconfig }),
    startBehind(scope, GADGETS, { send, kubeconfig }),
    defineCustomKinds({ send }),
  ]);
  const availabilityOf = async (name: string) => {
    const response = await send('GET', `${API_SERVICES}/${name}`).catch(() => undefined);
    const { status } = (response?.body ?? {}) as {
      status?: { conditions?: { type: string; status: string }[] };
    };
    return status?.conditions?.find(({ type }) => type === 'Available')?.status;
  };
  const site: OurSite = {
    kinds: [...coreKinds, ...customKinds, ...wardleKinds, ...gadgetKinds],
    send,
    core,
    wardle,
    gadgets,
    gateway: () => ({ ...current(), kubeconfig }),
    availabilityOf,
    async untilAvailable(status) {
      const wanted = status === 'True' ? apiServices : apiServices.slice(0, 1);
      for (const name of wanted) {
        const isSo = async () => (await availabilityOf(name)) === status;
        await eventually(`Available of ${name} is ${status}`, isSo, AVAILABLE);
      }
    },
  };
  await site.untilAvailable('True');
  return site;
}

async function startBehind(
  scope: TestScope,
  { name, source, group, versions }: ServerBehind,
  front: { readonly send: GraphSite['send']; readonly kubeconfig: string },
): Promise<Victim> {
  const directory = await temporaryDirectory(scope, `gc-${name}-`);
  const authority = createAuthority(`${name}-ca`);
  const names = ['127.0.0.1', `${name}.${NAMESPACE}.svc`];
  const serving = authority.issue({ commonName: name, names, usage: 'server' });
  const certFile = join(directory, 'serving.crt');
  const keyFile = join(directory, 'serving.key');
  await writeFile(certFile, serving.cert);
  await writeFile(keyFile, serving.key, { mode: 0o600 });
  const port = await freePort();
  const { send, kubeconfig } = front;
  const server = victim(name, () =>
    startProcess(scope, {
      name,
      ...runSource(source, [
        `--secure-port=${port}`,
        '--storage=sqlite',
        `--data-dir=${join(directory, 'data')}`,
        `--tls-cert-file=${certFile}`,
        `--tls-private-key-file=${keyFile}`,
        `--kubeconfig=${kubeconfig}`,
        `--authentication-kubeconfig=${kubeconfig}`,
        `--authorization-kubeconfig=${kubeconfig}`,
      ]),
      ready: logShows(/is listening at https:/),
      readyTimeoutMs: START_MS,
    }),
  );
  await server.start();
  const services = `/api/v1/namespaces/${NAMESPACE}/services`;
  const ports = [{ port: 443, protocol: 'TCP', targetPort: port }];
  await send('POST', services, { metadata: { name }, spec: { ports } });
  await send('POST', `/apis/discovery.k8s.io/v1/namespaces/${NAMESPACE}/endpointslices`, {
    metadata: { name, labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['127.0.0.1'], conditions: { ready: true } }],
    ports: [{ name: '', port, protocol: 'TCP' }],
  });
  for (const version of versions) {
    await send('POST', API_SERVICES, {
      metadata: { name: `${version}.${group}` },
      spec: {
        group,
        version,
        groupPriorityMinimum: 1000,
        versionPriority: 100,
        service: { namespace: NAMESPACE, name },
        caBundle: Buffer.from(authority.cert).toString('base64'),
      },
    });
  }
  return server;
}

function victim(name: string, start: () => Promise<StartedProcess>): Victim {
  let running: StartedProcess | undefined;
  return {
    name,
    async start() {
      running = await start();
    },
    async kill() {
      running?.kill('SIGKILL');
      await running?.exited;
      running = undefined;
    },
    signal: (signal) => running?.kill(signal),
  };
}
