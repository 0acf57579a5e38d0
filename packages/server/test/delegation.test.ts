/** An extension server and a core, over real TLS: what it does while the core is there, away, and back. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { manualClock, openMemoryStorage } from '@tributary/storage';
import {
  createAuthority,
  createPki,
  httpsRequest,
  type RequestOptions,
  type Response,
} from '../../../test/harness/index.ts';
import { type DelegationOptions, delegate } from '../src/delegation/delegate.ts';
import { createServer, type ServerConfig } from '../src/index.ts';
import { silentLog } from './log-fixture.ts';
import { type MiniCore, miniCore, trustPath } from './mini-core.ts';
import { forecast, forecasts, weather } from './server-fixture.ts';
import { webSocketTo } from './websocket-client.ts';

const READY_WITHIN_MS = 1_000;

interface Extension {
  readonly url: string;
  ask(path: string, options?: RequestOptions): Promise<Response>;
  logged: readonly string[];
}

async function startExtension(
  t: TestContext,
  core: MiniCore,
  more: {
    readonly options?: Partial<DelegationOptions>;
    readonly authentication?: Partial<DelegationOptions['authentication']>;
    readonly config?: Partial<ServerConfig>;
  } = {},
): Promise<Extension & { pki: { ca: { cert: string } } }> {
  const pki = await createPki();
  const { log, lines } = silentLog();
  const delegation = delegate({
    authentication: { core: core.config, ...more.authentication },
    authorization: { core: core.config },
    namespaces: core.config,
    log,
    ...more.options,
  });
  const storage = openMemoryStorage();
  const server = await createServer(weather, {
    storage,
    log,
    serving: pki.server,
    reportBug: () => {},
    ...more.config,
    ...delegation.config,
  }).listen();
  t.after(async () => {
    await server.close();
    await delegation.close();
    await storage.close();
  });
  return {
    url: server.url,
    logged: lines,
    pki,
    ask: (path, options = {}) => httpsRequest(server.url + path, { ca: pki.ca.cert, ...options }),
  };
}

/** How long it took to hold. */
async function until(check: () => Promise<boolean>, withinMs: number): Promise<number> {
  const startMs = performance.now();
  while (!(await check())) {
    if (performance.now() - startMs > withinMs) assert.fail(`not within ${withinMs} ms`);
    await sleep(10);
  }
  return performance.now() - startMs;
}

function trustOf({ pki }: MiniCore): Record<string, string> {
  return {
    'client-ca-file': pki.ca.cert,
    'requestheader-client-ca-file': pki.frontProxyCa.cert,
    'requestheader-allowed-names': '["front-proxy-client"]',
    'requestheader-username-headers': '["X-Remote-User"]',
    'requestheader-group-headers': '["X-Remote-Group"]',
    'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
  };
}

async function startedCore(t: TestContext): Promise<MiniCore> {
  const core = await miniCore(t);
  await core.start();
  await core.setTrust(trustOf(core));
  await core.setNamespace('eu');
  core.tokens.set('alice-token', { username: 'alice' });
  core.allowed.add('alice');
  return core;
}

const alice = { token: 'alice-token' };
const isReady = async ({ ask }: Extension) => (await ask('/readyz')).status === 200;

test('it starts without the core, says what is missing, and is well within a second of its coming', async (t) => {
  const core = await miniCore(t);
  const extension = await startExtension(t, core);
  const { ask } = extension;
  assert.equal((await ask('/livez')).status, 200);
  const ready = await ask('/readyz');
  assert.equal(ready.status, 500);
  assert.match(ready.body, /\[-\]authentication-trust failed/);
  assert.match(ready.body, /\[-\]namespaces failed/);
  const refused = [
    { name: 'nobody', who: {}, code: 500 },
    { name: 'a token', who: alice, code: 401 },
    // Nobody has said whose certificates these are.
    { name: 'a certificate', who: core.pki.admin, code: 500 },
  ];
  for (const { name, who, code } of refused) {
    const answer = await ask(forecasts, who);
    assert.equal(answer.status, code, name);
    assert.equal((answer.json() as { kind: string }).kind, 'Status', name);
  }
  core.tokens.set('alice-token', { username: 'alice' });
  core.allowed.add('alice');
  await core.start();
  const tookMs = await until(() => isReady(extension), READY_WITHIN_MS);
  await core.setTrust(trustOf(core));
  t.diagnostic(`ready after ${tookMs.toFixed(0)} ms`);
  assert.equal((await ask(forecasts, alice)).status, 200);
  await until(async () => (await ask(forecasts, core.pki.admin)).status === 200, READY_WITHIN_MS);
});

test('the core goes away and comes back', async (t) => {
  const core = await startedCore(t);
  const extension = await startExtension(t, core);
  const { ask } = extension;
  await until(() => isReady(extension), READY_WITHIN_MS);
  assert.equal((await ask(forecasts, alice)).status, 200);
  await core.stop();
  assert.deepEqual([await isReady(extension), (await ask('/livez')).status], [true, 200]);
  // What was answered a moment ago still counts; administrators and certificates need nobody.
  assert.equal((await ask(forecasts, alice)).status, 200);
  assert.equal((await ask(forecasts, core.pki.admin)).status, 200);
  const create = { method: 'POST', body: forecast('a'), ...core.pki.admin };
  assert.equal((await ask(forecasts, create)).status, 201);
  assert.equal((await ask(forecasts, { token: 'other' })).status, 401);
  const bob = await core.pki.client({ commonName: 'bob' });
  assert.equal((await ask(forecasts, bob)).status, 500);
  const elsewhere = forecasts.replace('/eu/', '/new/');
  const outage = await ask(elsewhere, create);
  assert.equal(outage.status, 500);
  assert.match(outage.body, /Internal error occurred/);
  await core.start();
  core.tokens.set('other', { username: 'alice' });
  const tookMs = await until(
    async () => (await ask(forecasts, { token: 'other' })).status === 200,
    READY_WITHIN_MS,
  );
  assert.equal((await ask(forecasts, bob)).status, 403);
  await core.setNamespace('new');
  assert.equal((await ask(elsewhere, create)).status, 201);
  // The copy of the namespaces follows again, too.
  await core.setNamespace('eu', 'Terminating');
  let made = 0;
  await until(async () => {
    made += 1;
    return (await ask(forecasts, { ...create, body: forecast(`b${made}`) })).status === 403;
  }, READY_WITHIN_MS);
  t.diagnostic(`well after ${tookMs.toFixed(0)} ms`);
});

test('whom to trust changes without a restart', async (t) => {
  const core = await startedCore(t);
  const extension = await startExtension(t, core);
  const { ask } = extension;
  await until(() => isReady(extension), READY_WITHIN_MS);
  const { pki } = core;
  const trust = trustOf(core);
  const proxied = (user: string, header = 'x-remote-user') => ({
    headers: { [header]: user },
    ...pki.frontProxyClient,
  });
  const codeOf = async (who: RequestOptions) => (await ask(forecasts, who)).status;
  assert.equal(await codeOf(proxied('alice')), 200);

  await core.setTrust({ ...trust, 'requestheader-username-headers': '["X-Other-User"]' });
  await until(async () => (await codeOf(proxied('alice', 'x-other-user'))) === 200, 1_000);
  // Without a name that is believed, the certificate counts, which is none of a client.
  assert.equal(await codeOf(proxied('alice')), 401);

  const { 'requestheader-username-headers': _, ...noNames } = trust;
  await core.setTrust(noNames);
  await until(async () => (await codeOf(proxied('alice', 'x-other-user'))) === 401, 1_000);

  await core.setTrust({ ...trust, 'requestheader-allowed-names': '["somebody-else"]' });
  await until(async () => (await codeOf(proxied('alice'))) === 401, 1_000);
  const { 'requestheader-allowed-names': __, ...anyName } = trust;
  await core.setTrust(anyName);
  await until(async () => (await codeOf(proxied('alice'))) === 200, 1_000);

  const other = await createAuthority('other-ca');
  const carol = await other.issue({
    commonName: 'carol',
    organizations: ['system:masters'],
    usage: 'client',
  });
  assert.equal(await codeOf(carol), 401);
  await core.setTrust({ ...trust, 'client-ca-file': other.cert });
  await until(async () => (await codeOf(carol)) === 200, 1_000);
  assert.equal(await codeOf(pki.admin), 401);
});

test('what is gone or bad in the ConfigMap changes nothing else', async (t) => {
  const core = await startedCore(t);
  const extension = await startExtension(t, core);
  await until(() => isReady(extension), READY_WITHIN_MS);
  const trust = trustOf(core);
  const logs = (text: string) =>
    until(async () => extension.logged.some((line) => line.includes(text)), 1_000);
  await core.setTrust({ ...trust, 'client-ca-file': 'nonsense' });
  await logs('The client CA of the core is bad');
  await core.setTrust({ ...trust, 'requestheader-username-headers': '["x"' });
  await logs('The front proxy headers of the core is bad');
  await core.setTrust({ ...trust, 'client-ca-file': '', 'requestheader-client-ca-file': '' });
  await core.send('DELETE', trustPath);
  await sleep(100);
  assert.equal((await extension.ask(forecasts, core.pki.admin)).status, 200);
  const proxied = { headers: { 'x-remote-user': 'alice' }, ...core.pki.frontProxyClient };
  assert.equal((await extension.ask(forecasts, proxied)).status, 200);
  assert.equal((await extension.ask('/readyz')).status, 200);
});

test('what the operator says is not asked for', async (t) => {
  const core = await startedCore(t);
  const own = await createPki();
  const extension = await startExtension(t, core, {
    authentication: { trust: { clientCa: false, requestHeader: true } },
    config: { clientCa: own.ca.cert },
  });
  await until(() => isReady(extension), READY_WITHIN_MS);
  assert.equal((await extension.ask(forecasts, own.admin)).status, 200);
  assert.equal((await extension.ask(forecasts, core.pki.admin)).status, 401);
  const proxied = { headers: { 'x-remote-user': 'alice' }, ...core.pki.frontProxyClient };
  assert.equal((await extension.ask(forecasts, proxied)).status, 200);
});

test('a core without the ConfigMap is one that vouches for nobody', async (t) => {
  const core = await miniCore(t);
  await core.start();
  const extension = await startExtension(t, core);
  await until(() => isReady(extension), READY_WITHIN_MS);
  assert.equal((await extension.ask(forecasts, core.pki.admin)).status, 403);
});

for (const tolerateLookupFailure of [false, true]) {
  const what = tolerateLookupFailure ? 'is tolerated on demand' : 'is said, with what helps';
  test(`a core that does not let it read whom to trust ${what}`, async (t) => {
    const core = await startedCore(t);
    core.authorize = ({ info }) => ({ allowed: info.resource !== 'configmaps' });
    const extension = await startExtension(t, core, { authentication: { tolerateLookupFailure } });
    const says = /is forbidden.*--role=extension-apiserver-authentication-reader/;
    await until(async () => extension.logged.some((line) => says.test(line)), 1_000);
    const verbose = (await extension.ask('/readyz?verbose')).body;
    assert.match(
      verbose,
      tolerateLookupFailure ? /\[\+\]authentication-trust ok/ : /\[-\]authentication-trust/,
    );
    core.authorize = () => ({ allowed: true });
    await until(() => isReady(extension), READY_WITHIN_MS);
  });
}

test('a token and a permission that are taken away end with the time that their answers are kept', async (t) => {
  const core = await startedCore(t);
  const clock = manualClock();
  const extension = await startExtension(t, core, { options: { clock } });
  await until(() => isReady(extension), READY_WITHIN_MS);
  const code = async (token: string) => (await extension.ask(forecasts, { token })).status;
  core.tokens.set('bob-token', { username: 'bob' });
  core.allowed.add('bob');
  assert.deepEqual([await code('alice-token'), await code('bob-token')], [200, 200]);
  core.tokens.delete('alice-token');
  core.allowed.delete('bob');
  clock.advance(9_999);
  assert.deepEqual([await code('alice-token'), await code('bob-token')], [200, 200]);
  assert.deepEqual([core.asked.tokens, core.asked.accesses.length], [2, 2]);
  clock.advance(1);
  assert.deepEqual([await code('alice-token'), await code('bob-token')], [401, 403]);
  // And what is given comes as late.
  core.tokens.set('alice-token', { username: 'alice' });
  assert.equal(await code('alice-token'), 401);
  clock.advance(10_000);
  assert.equal(await code('alice-token'), 200);
});

test('a browser shows its token among the protocols of a WebSocket', async (t) => {
  const core = await startedCore(t);
  const extension = await startExtension(t, core);
  await until(() => isReady(extension), READY_WITHIN_MS);
  const protocolOf = (token: string) =>
    `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString('base64url')}`;
  const open = (token: string) =>
    new Promise<number | string>((resolve) => {
      const socket = webSocketTo(extension as never, `${forecasts}?watch=true`, {
        protocols: [protocolOf(token), 'base64.binary.k8s.io'],
      });
      socket.on('open', () => {
        resolve(socket.protocol);
        socket.terminate();
      });
      socket.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0));
      socket.on('error', () => {});
    });
  assert.equal(await open('alice-token'), 'base64.binary.k8s.io');
  assert.equal(await open('wrong'), 401);
});

test('reviews are counted by their codes', async (t) => {
  const core = await startedCore(t);
  const extension = await startExtension(t, core);
  await until(() => isReady(extension), READY_WITHIN_MS);
  await extension.ask(forecasts, alice);
  await core.stop();
  await extension.ask(forecasts, { token: 'other' });
  await extension.ask(forecasts, await core.pki.client({ commonName: 'bob' }));
  const { body } = await extension.ask('/metrics', core.pki.admin);
  for (const name of ['authn', 'authz']) {
    assert.match(body, new RegExp(`apiserver_delegated_${name}_request_total\\{code="201"\\} 1`));
    assert.match(
      body,
      new RegExp(`apiserver_delegated_${name}_request_total\\{code="<error>"\\} 1`),
    );
    assert.match(
      body,
      new RegExp(`apiserver_delegated_${name}_request_duration_seconds_count\\{code="201"\\} 1`),
    );
  }
});
