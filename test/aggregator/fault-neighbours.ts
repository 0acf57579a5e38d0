/** Users of all servers but the faulty one. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { eventually, type Kubectl, type TestScope, temporaryDirectory } from '../harness/index.ts';
import { type Gateway, must, type Program } from './gateway-program.ts';
import { GROUP } from './registration-objects.ts';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const SPEC = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const NAMESPACES = '/api/v1/namespaces';
const POLL_MS = 10;

/** Documents for all clients, partly from the faulty server. */
const documents: readonly { readonly path: string; readonly accept: string }[] = [
  { path: '/apis', accept: 'application/json' },
  { path: '/apis', accept: AGGREGATED },
  { path: `/apis/${GROUP}`, accept: 'application/json' },
  { path: '/openapi/v2', accept: 'application/json' },
  { path: '/openapi/v2', accept: SPEC },
  { path: '/openapi/v3', accept: 'application/json' },
  { path: `/openapi/v3/apis/${GROUP}/v1alpha1`, accept: 'application/json' },
];

/** Every document, as bytes. */
export async function readDocuments(gateway: Program): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const { path, accept } of documents) {
    const { status, bytes } = await gateway.ask(path, { accept });
    assert.equal(status, 200, `${path} as ${accept}`);
    texts.push(bytes.toString('latin1'));
  }
  return texts;
}

/** The documents as soon as all of them have the server's part. */
export function completeDocuments(gateway: Program): Promise<readonly string[]> {
  return eventually('the documents of the server come', async () => {
    const texts = await readDocuments(gateway).catch(() => []);
    return texts.length > 0 && texts.every((text) => text.includes(GROUP)) && texts;
  });
}

/** A user with kubectl, old or new, without errors about an unavailable server. */
export async function worksWithKubectl(kubectl: Kubectl, { kubeconfig }: Gateway): Promise<void> {
  const quiet = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await kubectl.run(args, { kubeconfig });
    const what = `kubectl ${kubectl.version} ${args.join(' ')}`;
    assert.deepEqual({ what, code, stderr }, { what, code: 0, stderr: '' });
    return stdout;
  };
  assert.match(await quiet('get', 'configmaps', '-n', 'kube-system'), /extension-apiserver/);
  const names = (await quiet('api-resources', '-o', 'name')).split('\n');
  for (const name of ['configmaps', `flunders.${GROUP}`]) assert.ok(names.includes(name), name);
}

const CHART = {
  'Chart.yaml': 'apiVersion: v2\nname: neighbour\nversion: 1.0.0\n',
  'templates/configmap.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: "{{ .Release.Name }}"}
data: {flunders: "{{ .Capabilities.APIVersions.Has "${GROUP}/v1alpha1" }}"}
`,
};

/** A user with Helm, which wants to know of every group there is before it installs anything. */
export async function worksWithHelm(
  scope: TestScope,
  helm: string,
  { gateway, release }: { readonly gateway: Gateway; readonly release: string },
): Promise<void> {
  const home = await temporaryDirectory(scope, 'helm-');
  await mkdir(join(home, 'chart', 'templates'), { recursive: true });
  for (const [name, text] of Object.entries(CHART))
    await writeFile(join(home, 'chart', name), text);
  const env = { PATH: process.env.PATH, HOME: home, KUBECONFIG: gateway.kubeconfig };
  const run = (...args: string[]) => promisify(execFile)(helm, args, { cwd: home, env });
  for (const command of [['install'], ['upgrade', '--reset-values']]) {
    await run(...command, release, './chart');
  }
  const path = `/api/v1/namespaces/default/configmaps/${release}`;
  const { data } = (await must(gateway.send('GET', path))) as { data: Record<string, string> };
  assert.deepEqual(data, { flunders: 'true' });
  const { stdout } = await run('status', release);
  assert.match(stdout, /STATUS: deployed\nREVISION: 2/);
  const { stderr } = await run('uninstall', release);
  assert.equal(stderr, '');
  assert.equal((await gateway.send('GET', path)).status, 404);
}

/** A namespace that has nothing to do with the faulty server comes. */
export async function createUnrelated(gateway: Program, name: string): Promise<void> {
  await must(gateway.send('POST', NAMESPACES, { metadata: { name } }));
  const configMaps = `${NAMESPACES}/${name}/configmaps`;
  await must(gateway.send('POST', configMaps, { metadata: { name: 'content' } }));
}

/** It goes. */
export async function deleteUnrelated(gateway: Program, name: string): Promise<void> {
  const path = `${NAMESPACES}/${name}`;
  await must(gateway.send('DELETE', path));
  const isGone = async () => (await gateway.send('GET', path)).status === 404;
  await eventually(`namespace ${name} goes`, isGone, { everyMs: POLL_MS });
}

/** Reads other groups and the documents of all of them until it is enough; calls back with how long each read took. */
export async function readNeighbours(
  gateway: Program,
  until: Promise<unknown>,
  onRead: (tookMs: number) => void = () => {},
): Promise<void> {
  let isOver = false;
  const over = until.finally(() => {
    isOver = true;
  });
  over.catch(() => undefined); // Awaited below, and may fail before.
  const paths = ['/api/v1/configmaps?limit=1', '/apis', '/openapi/v3', '/apis/apps', '/version'];
  for (let index = 0; !isOver; index += 1) {
    const path = paths[index % paths.length] ?? '';
    const beganMs = performance.now();
    const { status } = await gateway.send('GET', path);
    onRead(performance.now() - beganMs);
    assert.ok(status === 200 || status === 404, `${path} was answered ${status}`);
    await sleep(POLL_MS);
  }
  await over;
}
