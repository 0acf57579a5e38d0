/** A control plane, servers behind it, and a shell with kubectl and tributary: where the doctor is called to. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type Authority,
  createAuthority,
  type KeyPair,
  type Kubectl,
  runSource,
  type TestScope,
  temporaryDirectory,
} from '../harness/index.ts';
import { type Backend, startBackend } from './doctor-backend.ts';
import {
  type Gateway,
  must,
  NAMESPACE,
  serverName,
  startGateway,
  startWardle,
  type Wardle,
} from './gateway-program.ts';
import {
  APISERVICES,
  apiService,
  createNamespace,
  endpointSlice,
  GROUP,
  service,
} from './registration-objects.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const MAIN = join(ROOT, 'packages', 'cli', 'src', 'main.ts');
export const NAME: string = `v1alpha1.${GROUP}`;
export const SERVICES: string = `/api/v1/namespaces/${NAMESPACE}/services`;
export const SLICES: string = `/apis/discovery.k8s.io/v1/namespaces/${NAMESPACE}/endpointslices`;
/** The DNS name in the certificate of a server behind the service. */
export const SERVER_NAME: string = serverName();
export const serving = { commonName: SERVER_NAME, names: [SERVER_NAME], usage: 'server' } as const;

export interface Kit {
  readonly gateway: Gateway;
  readonly authority: Authority;
  readonly wardle: Wardle;
  readonly backend: Backend;
  /** The administrator's, but for its certificates, which a fault may break. */
  readonly dataDir: string;
  readonly frontProxyCa: KeyPair;
  register(objects: Registered): Promise<void>;
  sh(script: string): Promise<string>;
}

export interface Registered {
  readonly port: number;
  readonly service?: object;
  readonly slice?: object | undefined;
  readonly apiService?: { metadata?: object; spec: object };
}

export async function startKit(scope: TestScope, { path }: Kubectl): Promise<Kit> {
  const gateway = await startGateway(scope);
  const authority = createAuthority('doctor-ca');
  const wardle = await startWardle(scope, gateway, { authority });
  const backend = await startBackend(scope, authority.issue(serving));
  await createNamespace(gateway);
  const dataDir = await temporaryDirectory(scope, 'doctor-');
  const programs = join(dataDir, 'bin');
  await mkdir(programs);
  await symlink(path, join(programs, 'kubectl'));
  const { command, args } = runSource(MAIN, []);
  const line = `exec ${[command, ...args].map((word) => `'${word}'`).join(' ')} "$@"`;
  await writeFile(join(programs, 'tributary'), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  const env = { ...process.env, PATH: `${programs}:${process.env.PATH}`, HOME: dataDir };
  const pki = join(dirname(gateway.kubeconfig), 'pki');
  const read = (name: string) => readFile(join(pki, name), 'utf8');
  return {
    gateway,
    authority,
    wardle,
    backend,
    dataDir,
    frontProxyCa: { cert: await read('front-proxy-ca.crt'), key: await read('front-proxy-ca.key') },
    register: (objects) => register(gateway, authority, objects),
    sh: async (script) => {
      const { code, stdout, stderr } = await run('sh', ['-c', script], env);
      assert.equal(code, 0, `${script}\n${stdout}${stderr}`);
      return stdout;
    },
  };
}

/** As if the doctor were run for the first time. */
export async function resetPki({ gateway, dataDir }: Kit): Promise<void> {
  await rm(join(dataDir, 'pki'), { recursive: true, force: true });
  await cp(join(dirname(gateway.kubeconfig), 'pki'), join(dataDir, 'pki'), { recursive: true });
}

export async function makePki({ dataDir, sh }: Kit): Promise<KeyPair> {
  const of = `--data-dir ${dataDir} --server ${GROUP} --service ${NAMESPACE}/api`;
  await sh(`tributary pki init ${of}`);
  const directory = join(dataDir, 'pki', 'servers', GROUP);
  return {
    cert: await readFile(join(directory, 'ca.crt'), 'utf8'),
    key: await readFile(join(directory, 'ca.key'), 'utf8'),
  };
}

/** Everything anew, so that no fault is left of the one before. */
async function register(
  gateway: Gateway,
  authority: Authority,
  objects: Registered,
): Promise<void> {
  const { port } = objects;
  for (const version of ['v1', 'v1alpha1', 'v1beta1']) {
    await gateway.send('DELETE', `${APISERVICES}/${version}.${GROUP}`);
  }
  for (const name of ['api']) await gateway.send('DELETE', `${SERVICES}/${name}`);
  await must(gateway.send('DELETE', SLICES));
  await must(gateway.send('POST', SERVICES, objects.service ?? service()));
  const slice = 'slice' in objects ? objects.slice : endpointSlice({ port });
  if (slice !== undefined) await must(put(gateway, SLICES, slice));
  const wanted = objects.apiService ?? apiService({ version: 'v1alpha1', ca: authority.cert });
  await must(gateway.send('POST', APISERVICES, wanted));
}

/** Created, or as it was. */
export async function put(gateway: Gateway, path: string, object: object) {
  const response = await gateway.send('POST', path, object);
  return response.status === 409 ? { ...response, status: 200 } : response;
}

export function flags({ gateway, dataDir }: Kit): string[] {
  return ['--kubeconfig', gateway.kubeconfig, '--data-dir', dataDir];
}

export function placeOf({ dataDir }: Kit, kubeconfig: string) {
  return { kubectlFlags: ['--kubeconfig', kubeconfig], dataDir, isStandalone: false };
}

export function tributary({ dataDir }: Kit, args: readonly string[]) {
  return run(join(dataDir, 'bin', 'tributary'), args, process.env);
}

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(file: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Run> {
  return new Promise((resolve) => {
    const options = { env, cwd: ROOT, timeout: 60_000 };
    const child = execFile(file, args, options, (_, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr });
    });
  });
}
