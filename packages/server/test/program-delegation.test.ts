/** The flags that name a core, in a real program and without one. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  createPki,
  httpsRequest,
  startProcess,
  temporaryDirectory,
  writeKubeconfig,
  writePki,
} from '../../../test/harness/index.ts';
import { sourceFlags } from '../launcher.js';
import { standalonePki } from '../src/pki/standalone.ts';
import { parseServerFlags } from '../src/program/flags.ts';
import { openDelegation } from '../src/program/program-delegation.ts';
import { silentLog } from './log-fixture.ts';
import { miniCore } from './mini-core.ts';
import { forecasts } from './server-fixture.ts';

async function start(t: TestContext, directory: string, args: readonly string[]) {
  return startProcess(t, {
    name: 'weather',
    command: process.execPath,
    args: [
      ...sourceFlags(),
      join(import.meta.dirname, 'weather-program.ts'),
      '--secure-port=0',
      `--data-dir=${join(directory, 'data')}`,
      ...args,
    ],
  });
}

function flagsOf(...args: string[]) {
  const flags = parseServerFlags('weather', args);
  assert.ok(flags !== 'help');
  return flags;
}

test('a program that starts before its core waits for it, and then believes nobody else', async (t) => {
  const core = await miniCore(t);
  const directory = await temporaryDirectory(t, 'delegating-');
  const own = await createPki();
  const files = await writePki(directory, own);
  const { ca, admin } = core.pki;
  const kubeconfig = await writeKubeconfig(t, { server: core.url, ca: ca.cert, user: admin });
  const program = await start(t, directory, [
    `--tls-cert-file=${files.serverCertFile}`,
    `--tls-private-key-file=${files.serverKeyFile}`,
    `--kubeconfig=${kubeconfig}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    '--authorization-always-allow-paths=/readyz,/version',
  ]);
  const [, url = ''] = await program.waitForLog(/is listening at (https:\S+)/);
  const ask = async (path: string, who: object = {}) =>
    (await httpsRequest(url + path, { ca: own.ca.cert, ...who })).status;
  assert.deepEqual(
    [await ask('/readyz'), await ask('/version'), await ask('/livez')],
    [500, 200, 500],
  );
  assert.doesNotMatch(program.log(), /is ready at/);
  const { admin: ownAdmin } = await standalonePki(join(directory, 'data', 'pki'), {
    nowMs: Date.now(),
  });
  assert.equal(await ask(forecasts, ownAdmin), 500);
  await core.start();
  await core.setTrust({ 'client-ca-file': ca.cert });
  await program.waitForLog(/is ready at/);
  await program.waitForLog(/Loaded client CA from the core server/);
  assert.equal(await ask(forecasts, admin), 200);
  assert.equal(await ask(forecasts), 403);
  // The local PKI of a server that could run alone is not trusted: neither its kubeconfig nor its CA.
  assert.ok(!existsSync(join(directory, 'data', 'admin.kubeconfig')));
  assert.equal(await ask(forecasts, ownAdmin), 401);
  assert.deepEqual(await program.stop(), { code: 0, signal: null });
});

test('a program that waits for its core stops when it is told to', async (t) => {
  const core = await miniCore(t);
  const directory = await temporaryDirectory(t, 'delegating-');
  const { ca, admin } = core.pki;
  const kubeconfig = await writeKubeconfig(t, { server: core.url, ca: ca.cert, user: admin });
  const program = await start(t, directory, [`--authentication-kubeconfig=${kubeconfig}`]);
  await program.waitForLog(/is listening at/);
  assert.deepEqual(await program.stop(), { code: 0, signal: null });
  assert.doesNotMatch(program.log(), /is ready at/);
});

test('a kubeconfig that is not there is said', async (t) => {
  const directory = await temporaryDirectory(t, 'delegating-');
  const missing = join(directory, 'none');
  const { log } = silentLog();
  for (const flag of ['kubeconfig', 'authentication-kubeconfig', 'authorization-kubeconfig']) {
    await assert.rejects(
      openDelegation(flagsOf(`--${flag}=${missing}`), { name: 'weather', log }),
      ({ name, message }: Error) =>
        name === 'FlagError' && message.includes(`--${flag} ${missing}: does not exist`),
    );
  }
});

test('outside of a cluster and without flags a server runs alone', async () => {
  const { log } = silentLog();
  const serviceAccount = { env: {} };
  assert.equal(
    await openDelegation(flagsOf(), { name: 'weather', log, serviceAccount }),
    undefined,
  );
});

async function pod(t: TestContext, url: string, ca: string | undefined) {
  const serviceAccountDirectory = join(await temporaryDirectory(t, 'pod-'), 'serviceaccount');
  const { hostname, port } = new URL(url);
  const env = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
  if (ca !== undefined) {
    await mkdir(serviceAccountDirectory);
    const files = { token: 'pod-token', 'ca.crt': ca, namespace: 'weather' };
    for (const [name, content] of Object.entries(files)) {
      await writeFile(join(serviceAccountDirectory, name), content);
    }
  }
  return { env, serviceAccountDirectory };
}

test('in a pod the service account stands in for the kubeconfigs', async (t) => {
  const core = await miniCore(t);
  await core.start();
  const { log } = silentLog();
  // The core server rejects the unknown token, which is enough to identify the caller.
  const serviceAccount = await pod(t, core.url, core.pki.ca.cert);
  await using delegation = await openDelegation(flagsOf(), {
    name: 'weather',
    log,
    serviceAccount,
  });
  assert.ok(delegation?.isTrustDelegated);
  const { trust, lookUpToken, authorizer, namespaces } = delegation.config;
  assert.ok(trust && lookUpToken && authorizer && namespaces);
  assert.deepEqual(await lookUpToken('t'), { outcome: 'rejected', reason: 'Unauthorized' });
});

test('a pod without a service account runs alone, and says so', async (t) => {
  const { log, lines } = silentLog();
  const serviceAccount = await pod(t, 'https://127.0.0.1:1', undefined);
  const delegation = await openDelegation(flagsOf(), { name: 'weather', log, serviceAccount });
  assert.equal(delegation, undefined);
  assert.match(lines.join('\n'), /no service account/);
});

const trusts = [
  { args: [], want: true },
  { args: ['--authentication-skip-lookup'], want: false },
  { args: ['--client-ca-file=a', '--requestheader-client-ca-file=b'], want: false },
  { args: ['--client-ca-file=a'], want: true },
];
for (const { args, want } of trusts) {
  test(`whom to trust is ${want ? '' : 'not '}read from the core: ${args.join(' ') || 'no flags'}`, async (t) => {
    const core = await miniCore(t);
    const { ca, admin } = core.pki;
    const kubeconfig = await writeKubeconfig(t, { server: core.url, ca: ca.cert, user: admin });
    const { log } = silentLog();
    const flags = flagsOf(`--authentication-kubeconfig=${kubeconfig}`, ...args);
    await using delegation = await openDelegation(flags, { name: 'weather', log });
    assert.equal(delegation?.config.trust !== undefined, want);
    assert.equal(delegation?.config.healthChecks?.length, want ? 1 : 0);
    assert.equal(delegation?.config.authorizer, undefined);
    assert.equal(delegation?.config.namespaces, undefined);
  });
}
