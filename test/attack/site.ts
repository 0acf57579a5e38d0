/** The server that is attacked, with its administrator and the user who attacks it. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { controlPlanePki } from '@tributary/core-server';
import { issueLeaf, validFor } from '@tributary/server/pki';
import { peerPath } from '../../interop/peers/peers.ts';
import { startReferenceStack } from '../../interop/stack.ts';
import { startStandalone } from '../aggregator/standalone-program.ts';
import { tributaryUp } from '../faults/core-program.ts';
import {
  createPki,
  eventually,
  httpsRequest,
  logShows,
  type RequestOptions,
  type Response,
  runSource,
  type StartedProcess,
  startProcess,
  type TestScope,
  temporaryDirectory,
  writeKubeconfig,
  writePki,
} from '../harness/index.ts';

export const KINDS_OF_SITES = ['up', 'aggregator', 'server', 'reference'] as const;
export type SiteKind = (typeof KINDS_OF_SITES)[number];

export interface Credential {
  readonly cert: string;
  readonly key: string;
}

export interface Site {
  readonly kind: SiteKind;
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly ca: string;
  readonly admin: Credential;
  /** May do everything in namespace `attacked`, where the server knows roles; otherwise nothing at all. */
  readonly user: Credential;
  /** The writer in the attacker's namespace: the user, or an administrator where users have no permissions. */
  readonly attacker: Credential;
  /** The servers whose memory counts. */
  readonly pids: readonly number[];
  /** Resolves when a server has ended by itself. */
  readonly ended: Promise<string>;
  readonly hasEnded: () => boolean;
  /** Objects that the attacker writes, and others read: a path to a namespaced resource, with `{ns}`. */
  readonly resource: {
    readonly path: string;
    readonly body: (name: string, size: number) => object;
  };
  readonly isCore: boolean;
  readonly isAggregator: boolean;
}

export const OTHERS = 'default';
export const ATTACKED = 'attacked';
export const ATTACKER = 'mallory';
const READY = /is ready at (https:[^\s,]+)/;
const WARDLE = join(import.meta.dirname, '..', '..', 'samples', 'wardle', 'src', 'main.ts');

export function siteProblem(kind: SiteKind): string | undefined {
  if (kind !== 'reference' || peerPath('kube-apiserver') !== undefined) return undefined;
  return 'kube-apiserver is not built; run "npm run peers"';
}

export async function startSite(
  scope: TestScope,
  kind: SiteKind,
  flags: readonly string[] = [],
): Promise<Site> {
  const site = await start(scope, kind, flags);
  if (site.isCore) await giveRights(site);
  return site;
}

function start(scope: TestScope, kind: SiteKind, flags: readonly string[]): Promise<Site> {
  switch (kind) {
    case 'up':
      return startUp(scope, flags);
    case 'aggregator':
      return startAggregator(scope);
    case 'server':
      return startServer(scope);
    case 'reference':
      return startReference(scope);
  }
}

const configMaps = {
  path: '/api/v1/namespaces/{ns}/configmaps',
  body: (name: string, size: number) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data: { text: 'x'.repeat(size) },
  }),
};

const flunders = {
  path: '/apis/wardle.example.com/v1beta1/namespaces/{ns}/flunders',
  body: (name: string, size: number) => ({
    apiVersion: 'wardle.example.com/v1beta1',
    kind: 'Flunder',
    metadata: { name, annotations: { text: 'x'.repeat(size) } },
  }),
};

async function startUp(scope: TestScope, flags: readonly string[]): Promise<Site> {
  const dataDir = await temporaryDirectory(scope, 'attacked-');
  const { admin, servingCa } = await controlPlanePki(join(dataDir, 'pki'), { nowMs: Date.now() });
  const process = await startProcess(scope, {
    name: 'tributary up',
    ...tributaryUp(dataDir, { flags: ['--sample=none', ...flags] }),
    ready: logShows(READY),
  });
  const user = await userOf(join(dataDir, 'pki'));
  return {
    ...(await programOf(process)),
    kind: 'up',
    ca: servingCa,
    admin,
    user,
    attacker: user,
    resource: configMaps,
    isCore: true,
    isAggregator: true,
  };
}

/** A control plane behind an aggregator of its user: both are attacked, through the aggregator. */
async function startAggregator(scope: TestScope): Promise<Site> {
  const behind = await startUp(scope, []);
  const directory = await temporaryDirectory(scope, 'attacker-');
  const path = await writeKubeconfig(scope, {
    server: behind.url,
    ca: behind.ca,
    user: behind.admin,
  });
  const front = await startStandalone(scope, {
    kubeconfig: path,
    dataDir: join(directory, 'data'),
  });
  const { ca, cert, key } = front.credentials;
  const own = await programOf(front.process);
  return {
    ...own,
    kind: 'aggregator',
    ca,
    admin: { cert, key },
    // The aggregator's own certificate stands for its user. An attacker has no certificate that it knows.
    user: behind.user,
    attacker: { cert, key },
    pids: [...own.pids, ...behind.pids],
    ended: Promise.race([own.ended, behind.ended]),
    hasEnded: () => own.hasEnded() || behind.hasEnded(),
    resource: configMaps,
    isCore: true,
    isAggregator: true,
  };
}

async function startServer(scope: TestScope): Promise<Site> {
  const dataDir = await temporaryDirectory(scope, 'attacked-');
  const pki = createPki();
  const files = await writePki(dataDir, pki);
  const process = await startProcess(scope, {
    name: 'wardle',
    ...runSource(WARDLE, [
      '--secure-port=0',
      `--data-dir=${dataDir}/data`,
      '--storage=sqlite',
      `--tls-cert-file=${files.serverCertFile}`,
      `--tls-private-key-file=${files.serverKeyFile}`,
      `--client-ca-file=${files.caFile}`,
    ]),
    ready: logShows(READY),
  });
  return {
    ...(await programOf(process)),
    kind: 'server',
    ca: pki.ca.cert,
    admin: pki.admin,
    user: pki.client({ commonName: ATTACKER }),
    attacker: pki.client({ commonName: 'flooder', organizations: ['system:masters'] }),
    resource: flunders,
    isCore: false,
    isAggregator: false,
  };
}

async function startReference(scope: TestScope): Promise<Site> {
  const stack = await startReferenceStack({ scope });
  const { url, ca, admin } = stack.kubeApiserver;
  const user = stack.pki.ca.issue({ commonName: ATTACKER, usage: 'client' });
  const { hostname, port } = new URL(url);
  const pids = stack.processes
    .filter(({ name }) => name === 'kube-apiserver')
    .map(({ pid }) => pid);
  const isGone = () => pids.some((pid) => !isAlive(pid));
  return {
    kind: 'reference',
    url,
    host: hostname,
    port: Number(port),
    ca,
    admin: { cert: admin.cert, key: admin.key },
    user,
    attacker: user,
    pids,
    ended: new Promise(() => undefined),
    hasEnded: isGone,
    resource: configMaps,
    isCore: true,
    isAggregator: true,
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function programOf(process: StartedProcess) {
  const [, url = ''] = await process.waitForLog(READY);
  const { hostname, port } = new URL(url);
  let isOver = false;
  const ended = process.exited.then(({ code, signal }) => {
    isOver = true;
    return `${process.name} ended with ${signal ?? code}:\n${process.log().slice(-2000)}`;
  });
  const hasEnded = () => isOver;
  return { url, host: hostname, port: Number(port), pids: [process.pid], ended, hasEnded };
}

/** A certificate of the server's own CA for clients. */
async function userOf(pki: string): Promise<Credential> {
  const [cert, key] = await Promise.all([
    readFile(join(pki, 'ca.crt'), 'utf8'),
    readFile(join(pki, 'ca.key'), 'utf8'),
  ]);
  const request = { commonName: ATTACKER, usage: 'client' } as const;
  return issueLeaf({ cert, key }, request, validFor({ nowMs: Date.now(), lifetimeMs: DAY_MS }));
}

const DAY_MS = 86_400_000;

async function giveRights(site: Site): Promise<void> {
  const subject = { kind: 'User', name: ATTACKER, apiGroup: 'rbac.authorization.k8s.io' };
  const roles = `/apis/rbac.authorization.k8s.io/v1/namespaces/${ATTACKED}`;
  await asAdmin(site, 'POST', '/api/v1/namespaces', { metadata: { name: ATTACKED } });
  // The role `edit` is put together by a controller, which kube-apiserver has not with it.
  await asAdmin(site, 'POST', `${roles}/roles`, {
    metadata: { name: 'edits' },
    rules: [{ apiGroups: ['', 'apps', 'batch'], resources: ['*'], verbs: ['*'] }],
  });
  await asAdmin(site, 'POST', `${roles}/rolebindings`, {
    metadata: { name: 'edits' },
    subjects: [subject],
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'edits' },
  });
  const path = site.resource.path.replace('{ns}', ATTACKED);
  await eventually('the attacker has its rights', async () => {
    return (await send(site, { path, as: 'attacker' })).status === 200;
  });
}

export interface Sending extends Omit<RequestOptions, 'ca' | 'cert' | 'key'> {
  readonly path: string;
  readonly as: 'admin' | 'user' | 'attacker' | 'nobody';
}

export function send(site: Site, { path, as, ...options }: Sending): Promise<Response> {
  const credential = as === 'nobody' ? {} : site[as];
  return httpsRequest(site.url + path, { ...options, ca: site.ca, ...credential });
}

/** The administrator's requests must succeed. */
export async function asAdmin(
  site: Site,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await send(site, {
    method,
    path,
    as: 'admin',
    ...(body === undefined ? {} : { body }),
  });
  if (response.status >= 300)
    throw new Error(`${method} ${path}: ${response.status} ${response.body}`);
  return response.json();
}
