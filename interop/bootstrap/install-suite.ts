/** The output of `tributary bootstrap`, piped into kubectl: the group is served, and nothing else has changed. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { KubeObject } from '@tributary/apimachinery';
import {
  anyKubectl,
  type Kubectl,
  type KubectlRun,
  logShows,
  missingMessage,
  runSource,
  skipOrFail,
  startProcess,
  type TestScope,
  temporaryDirectory,
  writeKubeconfig,
} from '../../test/harness/index.ts';

const root = join(import.meta.dirname, '../..');
const GROUP = 'wardle.example.com';
const PLACE = { namespace: 'wardle-system', name: 'wardle-apiserver' };
const ACCOUNT = `system:serviceaccount:${PLACE.namespace}:${PLACE.name}`;
const READY = /is (?:ready|listening) at https:\S*:(\d+)/;

/** A control plane without nodes. */
export interface ControlPlane {
  readonly url: string;
  readonly ca: string;
  /** The path of an administrator's. */
  readonly kubeconfig: string;
  /** Where the endpoints of its Services may be. */
  readonly endpointAddress: string;
  /** Whether roles are put together, which with the original is for another program. */
  readonly aggregatesRoles: boolean;
}

interface Cluster extends ControlPlane {
  /** Where certificates and volumes are. */
  readonly directory: string;
  readonly kubectl: Kubectl;
}

export function installSuite(name: string, start: (t: TestScope) => Promise<ControlPlane>): void {
  test(`${name}: manifests are all that a group needs`, async (t) => {
    const kubectl = await anyKubectl();
    if (kubectl === undefined) return skipOrFail(t, missingMessage('kubectl'));
    const cluster = { ...(await start(t)), kubectl, directory: await temporaryDirectory(t) };
    const manifests = await install(t, cluster);
    await t.test('a second apply changes nothing', () => applyTwice(cluster, manifests));
    await t.test('the account of the server may not register anything', (t) =>
      registersNothing(t, cluster),
    );
    if (cluster.aggregatesRoles) {
      await t.test('who may view or edit may do so with the new kinds', () =>
        reachesUsers(cluster),
      );
    }
    await t.test('components are taken as they are', () => takesComponents(cluster));
  });
}

async function install(t: TestScope, cluster: Cluster): Promise<string> {
  const manifests = await tributary(cluster, 'bootstrap', GROUP);
  assert.equal(await tributary(cluster, 'bootstrap', GROUP), manifests, 'the same again');
  const created = await succeeds(cluster, ['create', '-f', '-'], manifests);
  assert.equal(created.trim().split('\n').length, manifests.match(/^- apiVersion: /gm)?.length);
  await standInForNodes(t, cluster);
  const versions = ['v1alpha1', 'v1beta1'].map((version) => `apiservice/${version}.${GROUP}`);
  await succeeds(cluster, ['wait', '--for=condition=Available', '--timeout=30s', ...versions]);
  const flunder = await readFile(join(root, 'samples/wardle/manifests/flunder.yaml'), 'utf8');
  await succeeds(cluster, ['create', '-f', '-'], flunder);
  assert.match(await succeeds(cluster, ['get', 'flunders', '-A']), /my-first-flunder/);
  return manifests;
}

async function applyTwice(cluster: Cluster, manifests: string): Promise<void> {
  // The first one notes on each object what it has applied.
  await succeeds(cluster, ['apply', '-f', '-'], manifests);
  const before = await revisions(cluster, manifests);
  const lines = (await succeeds(cluster, ['apply', '-f', '-'], manifests)).trim().split('\n');
  assert.deepEqual(
    lines.filter((line) => !line.endsWith(' unchanged')),
    [],
  );
  assert.deepEqual(await revisions(cluster, manifests), before);
}

async function registersNothing(t: TestScope, cluster: Cluster): Promise<void> {
  const own = { ...cluster, kubeconfig: await accountKubeconfig(t, cluster) };
  for (const file of [APISERVICE, CLUSTER_ROLE, CLUSTER_ROLE_BINDING]) {
    const { code, stderr } = await run(own, ['create', '-f', '-'], file);
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`\\(Forbidden\\).*User "${ACCOUNT}" cannot create resource`));
  }
  for (const resource of ['apiservices', 'clusterroles', 'clusterrolebindings']) {
    for (const verb of ['create', 'patch']) {
      assert.equal(await mayDo(cluster, ACCOUNT, [verb, resource]), 'no', `${verb} ${resource}`);
    }
  }
  assert.equal(await mayDo(cluster, ACCOUNT, ['watch', 'namespaces']), 'yes');
}

const userRights = [
  { user: 'vera', verb: 'list', response: 'yes' },
  { user: 'vera', verb: 'create', response: 'no' },
  { user: 'eddy', verb: 'create', response: 'yes' },
  { user: 'nobody', verb: 'list', response: 'no' },
];

async function reachesUsers(cluster: Cluster): Promise<void> {
  for (const [role, user] of [
    ['view', 'vera'],
    ['edit', 'eddy'],
  ]) {
    const binding = ['rolebinding', `${user}`, `--clusterrole=${role}`, `--user=${user}`];
    await succeeds(cluster, ['create', ...binding]);
  }
  for (const { user, verb, response } of userRights) {
    assert.equal(
      await mayDo(cluster, user, [verb, `flunders.${GROUP}`]),
      response,
      `${user} ${verb}`,
    );
  }
}

/** Behind warnings, such as that a kind has no namespaces. */
async function mayDo(cluster: Cluster, user: string, what: readonly string[]) {
  const { stdout } = await run(cluster, ['auth', 'can-i', ...what, `--as=${user}`]);
  return stdout.trim().split('\n').at(-1);
}

async function takesComponents(cluster: Cluster): Promise<void> {
  for (const component of ['aggregator', 'cache-proxy']) {
    const manifests = await tributary(cluster, 'bootstrap', '--component', component);
    await succeeds(cluster, ['create', '-f', '-'], manifests);
    const policies = await succeeds(cluster, ['get', 'netpol', '-n', `tributary-${component}`]);
    assert.match(policies, new RegExp(`^${component} `, 'm'));
  }
}

async function tributary({ directory }: Cluster, ...words: string[]): Promise<string> {
  const { command, args } = runSource(join(root, 'packages/cli/src/main.ts'));
  const options = { cwd: directory, maxBuffer: 4 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(command, [...args, ...words], options);
  return stdout;
}

function run(cluster: Cluster, args: readonly string[], input = ''): Promise<KubectlRun> {
  return cluster.kubectl.run(args, { kubeconfig: cluster.kubeconfig, input });
}

async function succeeds(cluster: Cluster, args: readonly string[], input = ''): Promise<string> {
  const { code, stdout, stderr } = await run(cluster, args, input);
  assert.equal(code, 0, `kubectl ${args.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}

async function revisions(cluster: Cluster, manifests: string): Promise<string[]> {
  const text = await succeeds(cluster, ['get', '-o', 'json', '-f', '-'], manifests);
  const { items } = JSON.parse(text) as { items: KubeObject[] };
  // Whether a server is available is written now and then, which is not ours.
  return items
    .filter(({ kind }) => kind !== 'APIService')
    .map(({ kind, metadata }) => `${kind} ${metadata.name} ${metadata.resourceVersion}`);
}

async function accountKubeconfig(t: TestScope, cluster: Cluster): Promise<string> {
  const place = ['-n', PLACE.namespace, PLACE.name];
  const token = (await succeeds(cluster, ['create', 'token', ...place])).trim();
  return writeKubeconfig(t, { server: cluster.url, ca: cluster.ca, user: { token } });
}

/** Plays the kubelet and the controllers of a cluster with nodes: volumes, the process, and its endpoint. */
async function standInForNodes(t: TestScope, cluster: Cluster): Promise<void> {
  const read = async (kind: string, name: string) =>
    JSON.parse(
      await succeeds(cluster, ['get', kind, name, '-n', PLACE.namespace, '-o', 'json']),
    ) as KubeObject & { spec: PodOwner; data: Record<string, string> };
  const { spec } = (await read('deployment', PLACE.name)).spec.template;
  const [container] = spec.containers;
  assert.ok(container);
  const folders = new Map<string, string>();
  for (const { name, mountPath } of container.volumeMounts) {
    const folder = join(cluster.directory, name);
    await mkdir(folder, { recursive: true });
    folders.set(mountPath, folder);
    const secret = spec.volumes.find((volume) => volume.name === name)?.secret?.secretName;
    if (secret === undefined) continue;
    for (const [file, content] of Object.entries((await read('secret', secret)).data)) {
      await writeFile(join(folder, file), Buffer.from(content, 'base64'), { mode: 0o600 });
    }
  }
  const inFolders = (arg: string) =>
    [...folders].reduce((text, [place, folder]) => text.replace(place, folder), arg);
  const account = await accountKubeconfig(t, cluster);
  const { command, args } = runSource(join(root, 'samples/wardle/src/main.ts'));
  const server = await startProcess(t, {
    name: 'wardle-apiserver',
    command,
    args: [
      ...args,
      ...container.args.map(inFolders),
      // A pod has its own network and its own account; here both have to be said.
      '--secure-port=0',
      `--bind-address=${cluster.endpointAddress}`,
      ...['', 'authentication-', 'authorization-'].map((use) => `--${use}kubeconfig=${account}`),
    ],
    ready: logShows(READY),
  });
  const [, port] = await server.waitForLog(READY);
  await succeeds(
    cluster,
    ['create', '-f', '-'],
    endpointSlice(cluster.endpointAddress, Number(port)),
  );
}

interface PodOwner {
  readonly template: {
    readonly spec: {
      readonly containers: readonly {
        readonly args: readonly string[];
        readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
      }[];
      readonly volumes: readonly {
        readonly name: string;
        readonly secret?: { readonly secretName: string };
      }[];
    };
  };
}

function endpointSlice(address: string, port: number): string {
  return JSON.stringify({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: `${PLACE.name}-1`,
      namespace: PLACE.namespace,
      labels: { 'kubernetes.io/service-name': PLACE.name },
    },
    addressType: 'IPv4',
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
    ports: [{ name: 'https', port, protocol: 'TCP' }],
  });
}

const APISERVICE = JSON.stringify({
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: { name: 'v1.own.example.com' },
  spec: {
    group: 'own.example.com',
    version: 'v1',
    groupPriorityMinimum: 1,
    versionPriority: 1,
    insecureSkipTLSVerify: true,
    service: PLACE,
  },
});

const CLUSTER_ROLE = JSON.stringify({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'own' },
  rules: [],
});

const CLUSTER_ROLE_BINDING = JSON.stringify({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: 'own' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
  subjects: [{ kind: 'ServiceAccount', ...PLACE }],
});
