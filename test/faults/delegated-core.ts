/** A control plane on SQLite that extension servers delegate to, which is killed and comes back at the same address. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  asAdmin,
  type DelegationCore,
  grantDelegation,
  grantFlunders,
  user,
} from '../../interop/delegation/core.ts';
import { type DelegatingWardle, startDelegatingWardle } from '../../interop/delegation/wardle.ts';
import {
  createPki,
  eventually,
  freePort,
  type RequestOptions,
  type TestScope,
  temporaryDirectory,
  writePki,
} from '../harness/index.ts';
import { tributaryUp } from './core-program.ts';
import { Target } from './target.ts';

export interface KillableCore extends DelegationCore {
  readonly target: Target;
}

const SERVER = 'wardle-server';
export const FLUNDERS = '/apis/wardle.example.com/v1alpha1/namespaces/allowed/flunders';
/** How long wardle caches what the core says, in place of ten seconds. */
export const TTL_MS = 1_000;
const TTL_FLAGS = [
  `--authentication-token-webhook-cache-ttl=${TTL_MS}ms`,
  `--authorization-webhook-cache-authorized-ttl=${TTL_MS}ms`,
  `--authorization-webhook-cache-unauthorized-ttl=${TTL_MS}ms`,
];
const UNTIL = { withinMs: 60_000, everyMs: 20 };
const ALICE_TOKEN = 'a-token-of-alice';

/** Not started yet; its port is closed. */
export async function killableCore(scope: TestScope): Promise<KillableCore> {
  const directory = await temporaryDirectory(scope, 'tributary-core-');
  const pki = await createPki();
  const files = await writePki(directory, pki);
  const tokens = join(directory, 'tokens.csv');
  await writeFile(tokens, `${ALICE_TOKEN},alice,1\n`, { mode: 0o600 });
  const port = await freePort();
  const dataDir = join(directory, 'data');
  const program = tributaryUp(dataDir, {
    port,
    flags: [
      `--tls-cert-file=${files.serverCertFile}`,
      `--tls-private-key-file=${files.serverKeyFile}`,
      `--client-ca-file=${files.caFile}`,
      `--requestheader-client-ca-file=${files.frontProxyCaFile}`,
      '--requestheader-allowed-names=front-proxy-client',
      `--token-auth-file=${tokens}`,
    ],
  });
  const credentials = { ca: pki.ca.cert, ...pki.admin };
  return {
    target: await Target.create(scope, { dataDir, program, credentials }),
    url: `https://127.0.0.1:${port}`,
    ca: pki.ca.cert,
    admin: pki.admin,
    aliceToken: ALICE_TOKEN,
    userCertificate: async (commonName) => pki.client({ commonName }),
    proxyCertificate: async (commonName) => pki.frontProxyCa.issue({ commonName, usage: 'client' }),
  };
}

/** It runs; wardle may ask it, and alice may do everything with flunders in one namespace. */
export async function preparedCore(t: TestScope): Promise<KillableCore> {
  const core = await killableCore(t);
  await core.target.start();
  await grantDelegation(core, SERVER);
  await asAdmin(core, 'POST', '/api/v1/namespaces', { metadata: { name: 'allowed' } });
  await grantFlunders(core, { name: 'alice', namespace: 'allowed', subject: user('alice') });
  return core;
}

export async function startWardle(t: TestScope, core: KillableCore): Promise<DelegatingWardle> {
  const as = await core.userCertificate(SERVER);
  return startDelegatingWardle(t, { core, as, flags: TTL_FLAGS });
}

export async function robotToken(core: KillableCore): Promise<string> {
  const accounts = '/api/v1/namespaces/allowed/serviceaccounts';
  await asAdmin(core, 'POST', accounts, { metadata: { name: 'robot' } });
  const subject = { kind: 'ServiceAccount', name: 'robot', namespace: 'allowed' };
  await grantFlunders(core, { name: 'robot', namespace: 'allowed', subject });
  const issued = await asAdmin(core, 'POST', `${accounts}/robot/token`, { spec: {} });
  return (issued.json() as { status: { token: string } }).status.token;
}

/** Returns when the answer has the wanted status. */
export async function untilStatus(
  wardle: DelegatingWardle,
  path: string,
  { want, who }: { want: number; who: RequestOptions },
): Promise<void> {
  let last: { status: number; body: string } | undefined;
  const isThere = async () => {
    last = await wardle.ask(path, who);
    return last.status === want;
  };
  await eventually(() => `${want} for ${path}: ${last?.status} ${last?.body}`, isThere, UNTIL);
}
