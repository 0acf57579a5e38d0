/**
 * An extension API server and a core server over real TLS, while the core server is available, unavailable, and back.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '@tributary/storage';
import {
  createAuthority,
  createPki,
  eventually,
  type RequestOptions,
} from '../../../test/harness/index.ts';
import {
  alice,
  type Extension,
  isReady,
  startExtension,
  startedCore,
  trustOf,
} from './extension-fixture.ts';
import { miniCore, trustPath } from './mini-core.ts';
import { forecast, forecasts } from './server-fixture.ts';
import { webSocketTo } from './websocket-client.ts';

const HOUR_MS = 3_600_000;

const ready = (extension: Extension) =>
  eventually('the extension server is ready', () => isReady(extension));

test('it starts without the core, says what is missing, and is well when it comes', async (t) => {
  const core = await miniCore(t);
  const extension = await startExtension(t, core);
  const { ask } = extension;
  assert.equal((await ask('/livez')).status, 200);
  const unready = await ask('/readyz');
  assert.equal(unready.status, 500);
  assert.match(unready.body, /\[-\]authentication-trust failed/);
  assert.match(unready.body, /\[-\]namespaces failed/);
  const refused = [
    { name: 'nobody', who: {}, code: 500 },
    { name: 'a token', who: alice, code: 401 },
    // The CAs of these certificates have not been published.
    { name: 'a certificate', who: core.pki.admin, code: 500 },
  ];
  for (const { name, who, code } of refused) {
    const reply = await ask(forecasts, who);
    assert.equal(reply.status, code, name);
    assert.equal((reply.json() as { kind: string }).kind, 'Status', name);
  }
  core.tokens.set('alice-token', { username: 'alice' });
  core.allowed.add('alice');
  await core.start();
  await ready(extension);
  await core.setTrust(trustOf(core));
  assert.equal((await ask(forecasts, alice)).status, 200);
  await eventually(
    'its administrators are trusted',
    async () => (await ask(forecasts, core.pki.admin)).status === 200,
  );
});

test('the core goes away and comes back', async (t) => {
  const core = await startedCore(t);
  const extension = await startExtension(t, core, {
    authentication: { cacheTtlMs: HOUR_MS },
    authorization: { allowTtlMs: HOUR_MS },
  });
  const { ask } = extension;
  await ready(extension);
  assert.equal((await ask(forecasts, alice)).status, 200);
  await core.stop();
  assert.deepEqual([await isReady(extension), (await ask('/livez')).status], [true, 200]);
  // Cached results still count; administrators and certificates need no review.
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
  await eventually(
    'tokens are reviewed again',
    async () => (await ask(forecasts, { token: 'other' })).status === 200,
  );
  assert.equal((await ask(forecasts, bob)).status, 403);
  await core.setNamespace('new');
  assert.equal((await ask(elsewhere, create)).status, 201);
  // The copy of the namespaces follows again, too.
  await core.setNamespace('eu', 'Terminating');
  let made = 0;
  await eventually('the copy of the namespaces follows', async () => {
    made += 1;
    return (await ask(forecasts, { ...create, body: forecast(`b${made}`) })).status === 403;
  });
});

test('whom to trust changes without a restart', async (t) => {
  const core = await startedCore(t);
  const extension = await startExtension(t, core);
  const { ask } = extension;
  await ready(extension);
  const { pki } = core;
  const trust = trustOf(core);
  const proxied = (user: string, header = 'x-remote-user') => ({
    headers: { [header]: user },
    ...pki.frontProxyClient,
  });
  const codeOf = async (who: RequestOptions) => (await ask(forecasts, who)).status;
  const replies = (who: RequestOptions, code: number) =>
    eventually(`the answer is ${code}`, async () => (await codeOf(who)) === code);
  assert.equal(await codeOf(proxied('alice')), 200);

  await core.setTrust({ ...trust, 'requestheader-username-headers': '["X-Other-User"]' });
  await replies(proxied('alice', 'x-other-user'), 200);
  // Without a name that is believed, the certificate counts, which is none of a client.
  assert.equal(await codeOf(proxied('alice')), 401);

  const { 'requestheader-username-headers': _, ...noNames } = trust;
  await core.setTrust(noNames);
  await replies(proxied('alice', 'x-other-user'), 401);

  await core.setTrust({ ...trust, 'requestheader-allowed-names': '["somebody-else"]' });
  await replies(proxied('alice'), 401);
  const { 'requestheader-allowed-names': __, ...anyName } = trust;
  await core.setTrust(anyName);
  await replies(proxied('alice'), 200);

  const other = await createAuthority('other-ca');
  const carol = await other.issue({
    commonName: 'carol',
    organizations: ['system:masters'],
    usage: 'client',
  });
  assert.equal(await codeOf(carol), 401);
  await core.setTrust({ ...trust, 'client-ca-file': other.cert });
  await replies(carol, 200);
  assert.equal(await codeOf(pki.admin), 401);
});

test('what is gone or bad in the ConfigMap changes nothing else', async (t) => {
  const core = await startedCore(t);
  const extension = await startExtension(t, core);
  await ready(extension);
  const trust = trustOf(core);
  const logs = (text: string) =>
    eventually(`it logs: ${text}`, () => extension.logged.some((line) => line.includes(text)));
  const codeOf = async (who: RequestOptions) => (await extension.ask(forecasts, who)).status;
  const replies = (who: RequestOptions) =>
    eventually('the answer is 200', async () => (await codeOf(who)) === 200);
  await core.setTrust({ ...trust, 'client-ca-file': 'nonsense' });
  await logs('Ignoring invalid client CA from the core server');
  await core.setTrust({ ...trust, 'requestheader-username-headers': '["x"' });
  await logs('Ignoring invalid front proxy headers from the core server');
  await core.setTrust({ ...trust, 'client-ca-file': '', 'requestheader-client-ca-file': '' });
  await core.send('DELETE', trustPath);
  // A later change of one part shows that the other part has outlived the deletion.
  const others = { ...trust, 'requestheader-username-headers': '["X-Other-User"]' };
  await core.setTrust({ ...others, 'client-ca-file': '' });
  const proxied = { headers: { 'x-other-user': 'alice' }, ...core.pki.frontProxyClient };
  await replies(proxied);
  assert.equal(await codeOf(core.pki.admin), 200);
  await core.send('DELETE', trustPath);
  const other = await createPki();
  await core.setTrust({
    'client-ca-file': other.ca.cert,
    'requestheader-username-headers': '["x"',
  });
  await replies(other.admin);
  assert.equal(await codeOf(proxied), 200);
  assert.equal((await extension.ask('/readyz')).status, 200);
});

test('what the operator says is not asked for', async (t) => {
  const core = await startedCore(t);
  const own = await createPki();
  const extension = await startExtension(t, core, {
    authentication: { trust: { clientCa: false, requestHeader: true } },
    config: { clientCa: own.ca.cert },
  });
  await ready(extension);
  assert.equal((await extension.ask(forecasts, own.admin)).status, 200);
  assert.equal((await extension.ask(forecasts, core.pki.admin)).status, 401);
  const proxied = { headers: { 'x-remote-user': 'alice' }, ...core.pki.frontProxyClient };
  assert.equal((await extension.ask(forecasts, proxied)).status, 200);
});

test('a core without the ConfigMap is one that vouches for nobody', async (t) => {
  const core = await miniCore(t);
  await core.start();
  const extension = await startExtension(t, core);
  await ready(extension);
  assert.equal((await extension.ask(forecasts, core.pki.admin)).status, 403);
});

for (const tolerateLookupFailure of [false, true]) {
  const what = tolerateLookupFailure ? 'is tolerated on demand' : 'is said, with what helps';
  test(`a core that does not let it read whom to trust ${what}`, async (t) => {
    const core = await startedCore(t);
    core.authorize = ({ info }) => ({ allowed: info.resource !== 'configmaps' });
    const extension = await startExtension(t, core, { authentication: { tolerateLookupFailure } });
    const says = /is forbidden.*--role=extension-apiserver-authentication-reader/;
    await eventually(`it logs ${says}`, () => extension.logged.some((line) => says.test(line)));
    const verbose = (await extension.ask('/readyz?verbose')).body;
    assert.match(
      verbose,
      tolerateLookupFailure ? /\[\+\]authentication-trust ok/ : /\[-\]authentication-trust/,
    );
    core.authorize = () => ({ allowed: true });
    await ready(extension);
  });
}

test('a token and a permission that are taken away end with the time that their answers are kept', async (t) => {
  const core = await startedCore(t);
  const clock = manualClock();
  const extension = await startExtension(t, core, { options: { clock } });
  await ready(extension);
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
  await ready(extension);
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
  await ready(extension);
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
