/** The site of a soak: `tributary up`, wardle behind it, and the original's controllers. Nothing is started yet. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NAMESPACE, serverName, servingAuthority } from '../../test/aggregator/gateway-program.ts';
import { apiService, endpointSlice, service } from '../../test/aggregator/registration-objects.ts';
import type { ApiClient, Reply } from '../../test/faults/api-client.ts';
import { adminOf, tributaryUp } from '../../test/faults/core-program.ts';
import { API_PATH } from '../../test/faults/flunders.ts';
import { withClient } from '../../test/faults/namespace-run.ts';
import { type Credentials, Target } from '../../test/faults/target.ts';
import {
  type Authority,
  eventually,
  freePort,
  runSource,
  type StartedProcess,
  type TestScope,
  temporaryDirectory,
} from '../../test/harness/index.ts';
import { startControllerManager } from '../peers/start-controller-manager.ts';
import { withFault } from './faults.ts';

export interface SiteOptions {
  /** Faults of test/faults in the stores. */
  readonly faults?: { readonly gateway?: string; readonly wardle?: string };
  /** The controllers that delete namespaces, create accounts and collect garbage. */
  readonly controllers: 'original' | 'own';
}

export interface Site {
  readonly gateway: Target;
  readonly wardle: Target;
  readonly url: string;
  readonly gatewayDir: string;
  readonly wardleDir: string;
  readonly authority: Authority;
  /** Of the administrator. */
  readonly kubeconfig: string;
}

const MAIN = join(import.meta.dirname, '..', '..', 'samples', 'wardle', 'src', 'main.ts');
const COLLECTOR = 'garbage-collector-controller';
const CONTROLLERS = ['namespace-controller', 'serviceaccount-controller', COLLECTOR];
const AVAILABLE = { withinMs: 120_000, everyMs: 50 };

/** Both at the same ports through all their lives, so that clients reconnect. */
export async function createSite(scope: TestScope, options: SiteOptions): Promise<Site> {
  const gatewayDir = await temporaryDirectory(scope, 'soak-gateway-');
  const wardleDir = await temporaryDirectory(scope, 'soak-wardle-');
  const credentials = await adminOf(gatewayDir);
  const authority = servingAuthority();
  const port = await freePort();
  const disabled = CONTROLLERS.map((name) => `-${name}`);
  const flags = [
    '--sample=none',
    ...(options.controllers === 'original' ? [`--controllers=*,${disabled.join(',')}`] : []),
  ];
  const kubeconfig = join(gatewayDir, 'admin.kubeconfig');
  const gateway = await Target.create(scope, {
    dataDir: gatewayDir,
    program: withFault(tributaryUp(gatewayDir, { port, flags }), options.faults?.gateway),
    credentials,
  });
  const wardle = await createWardle(scope, {
    directory: wardleDir,
    kubeconfig,
    authority,
    credentials,
    fault: options.faults?.wardle,
  });
  const url = `https://127.0.0.1:${port}`;
  return { gateway, wardle, url, gatewayDir, wardleDir, authority, kubeconfig };
}

async function createWardle(
  scope: TestScope,
  parts: {
    directory: string;
    kubeconfig: string;
    authority: Authority;
    credentials: Credentials;
    fault: string | undefined;
  },
): Promise<Target> {
  const { directory, kubeconfig, authority, credentials, fault } = parts;
  const names = ['127.0.0.1', serverName()];
  const serving = authority.issue({ commonName: 'wardle', names, usage: 'server' });
  await mkdir(directory, { recursive: true });
  const certFile = join(directory, 'serving.crt');
  const keyFile = join(directory, 'serving.key');
  await writeFile(certFile, serving.cert);
  await writeFile(keyFile, serving.key, { mode: 0o600 });
  const args = [
    `--secure-port=${await freePort()}`,
    '--storage=sqlite',
    `--data-dir=${directory}`,
    `--tls-cert-file=${certFile}`,
    `--tls-private-key-file=${keyFile}`,
    ...['', 'authentication-', 'authorization-'].map((use) => `--${use}kubeconfig=${kubeconfig}`),
  ];
  const program = {
    ...runSource(MAIN, args),
    env: { NODE_COMPILE_CACHE: join(directory, 'compile-cache') },
  };
  return Target.create(scope, {
    dataDir: directory,
    program: withFault(program, fault),
    credentials: { ...credentials, ca: authority.cert },
  });
}

/** For a site whose servers run: from then on the gateway serves flunders. */
export async function registerWardle({ gateway, wardle, authority }: Site): Promise<void> {
  const port = Number(new URL(await wardle.url()).port);
  await withClient(gateway, 'registering', async (client) => {
    await createNamespace(client, NAMESPACE);
    const place = `/namespaces/${NAMESPACE}`;
    await create(client, `/api/v1${place}/services`, service());
    await create(
      client,
      `/apis/discovery.k8s.io/v1${place}/endpointslices`,
      endpointSlice({ port }),
    );
    for (const version of ['v1alpha1', 'v1beta1']) {
      const registration = apiService({ version, ca: authority.cert });
      await create(client, '/apis/apiregistration.k8s.io/v1/apiservices', registration);
    }
  });
  await untilServed(gateway);
}

/** Also after a restart: until the gateway answers for the server behind it. */
export async function untilServed(gateway: Target): Promise<void> {
  await untilFound(gateway, `${API_PATH}/flunders?limit=1`);
}

async function untilFound(gateway: Target, path: string): Promise<void> {
  await withClient(gateway, 'waiting', async (client) => {
    let last: Reply | undefined;
    const isFound = async () => {
      last = await client.send('GET', path).catch(() => undefined);
      return last?.status === 200;
    };
    const what = () => `GET ${path}: ${last?.status} ${JSON.stringify(last?.body)}`;
    await eventually(what, isFound, AVAILABLE);
  });
}

export async function createNamespace(client: ApiClient, name: string): Promise<void> {
  await create(client, '/api/v1/namespaces', { metadata: { name } });
}

async function create(client: ApiClient, path: string, object: object): Promise<void> {
  const { status, body } = await client.send('POST', path, object);
  if (status !== 201) throw new Error(`POST ${path}: ${status} ${JSON.stringify(body)}`);
}

/**
 * Resolves when they work: until then the program ends by itself when it cannot ask the server for its kinds. That
 * they work is seen by the account that one of them makes in a namespace.
 */
export async function startOriginalControllers(
  scope: TestScope,
  { kubeconfig, gateway }: Site,
  namespace: string,
): Promise<StartedProcess> {
  const started = await startControllerManager(scope, { kubeconfig, controllers: CONTROLLERS });
  await untilFound(gateway, `/api/v1/namespaces/${namespace}/serviceaccounts/default`);
  return started;
}
