/** Starts the attacker's backends and webhooks, and registers them. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createAuthority,
  eventually,
  httpsRequest,
  kubeconfig,
  logShows,
  runSource,
  startProcess,
  type TestScope,
  temporaryDirectory,
} from '../harness/index.ts';
import { asAdmin, type Site, send } from './site.ts';

export interface EvilServers {
  /** Of the server that is attacked: its webhooks are the attacker's. */
  readonly flags: readonly string[];
  readonly webhookUrl: string;
  readonly caBundle: string;
  /** Makes the backends available as groups, over HTTP/1.1 and HTTP/2. */
  register(site: Site): Promise<void>;
  /** Requests that reached the backends without the identity of a user. */
  withoutIdentity(): Promise<readonly string[]>;
}

export const GROUP_OF = { '1.1': 'evil1.example.com', '2': 'evil2.example.com' } as const;
const PROGRAM = join(import.meta.dirname, 'evil-program.ts');
const NAMESPACE = 'evil';
const LISTENING = /evil servers listen at (\d+) (\d+) (\d+)/;
const AVAILABLE = { withinMs: 60_000 };

export async function startEvilServers(scope: TestScope): Promise<EvilServers> {
  const directory = await temporaryDirectory(scope, 'evil-');
  const authority = createAuthority('evil-ca');
  const pair = authority.issue({
    commonName: 'evil',
    names: ['localhost', '127.0.0.1', `one.${NAMESPACE}.svc`, `two.${NAMESPACE}.svc`],
    usage: 'server',
  });
  const certFile = await write(join(directory, 'tls.crt'), pair.cert);
  const keyFile = await write(join(directory, 'tls.key'), pair.key);
  const process = await startProcess(scope, {
    name: 'evil servers',
    ...runSource(PROGRAM, [certFile, keyFile]),
    ready: logShows(LISTENING),
  });
  const [, http1 = '', http2 = '', webhooks = ''] = await process.waitForLog(LISTENING);
  const webhookUrl = `https://127.0.0.1:${webhooks}`;
  const configFor = (path: string) =>
    write(
      join(directory, `${path}.kubeconfig`),
      kubeconfig({ server: `${webhookUrl}/${path}`, ca: authority.cert, user: pair }),
    );
  return {
    webhookUrl,
    caBundle: Buffer.from(authority.cert).toString('base64'),
    flags: [
      `--authentication-token-webhook-config-file=${await configFor('authenticate')}`,
      '--authorization-mode=RBAC,Webhook',
      `--authorization-webhook-config-file=${await configFor('authorize')}`,
    ],
    async register(site) {
      await asAdmin(site, 'POST', '/api/v1/namespaces', { metadata: { name: NAMESPACE } });
      await registerGroup(site, { group: GROUP_OF['1.1'], name: 'one', port: Number(http1) });
      await registerGroup(site, { group: GROUP_OF['2'], name: 'two', port: Number(http2) });
    },
    async withoutIdentity() {
      const response = await httpsRequest(`${webhookUrl}/seen`, { ca: authority.cert });
      return (response.json() as { withoutIdentity: string[] }).withoutIdentity;
    },
  };
}

interface Registration {
  readonly group: string;
  readonly name: string;
  readonly port: number;
}

/** By the name of a host: endpoints may not be loopback addresses on a kube-apiserver. */
async function registerGroup(site: Site, { group, name, port }: Registration): Promise<void> {
  await asAdmin(site, 'POST', `/api/v1/namespaces/${NAMESPACE}/services`, {
    metadata: { name },
    spec: { type: 'ExternalName', externalName: 'localhost' },
  });
  await asAdmin(site, 'POST', '/apis/apiregistration.k8s.io/v1/apiservices', {
    metadata: { name: `v1.${group}` },
    spec: {
      group,
      version: 'v1',
      groupPriorityMinimum: 1000,
      versionPriority: 15,
      service: { namespace: NAMESPACE, name, port },
      insecureSkipTLSVerify: true,
    },
  });
  const isServed = async () =>
    (await send(site, { path: `/apis/${group}/v1`, as: 'admin' })).status === 200;
  await eventually(`${group} is served`, isServed, AVAILABLE);
}

async function write(path: string, text: string): Promise<string> {
  await writeFile(path, text, { mode: 0o600 });
  return path;
}
