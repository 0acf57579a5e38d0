/** wardle asks a control plane who users are and what they may do, while that is killed with SIGKILL. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  asAdmin,
  grantDelegation,
  grantFlunders,
  revokeFlunders,
  user,
} from '../../interop/delegation/core.ts';
import { type DelegatingWardle, startDelegatingWardle } from '../../interop/delegation/wardle.ts';
import { ownTime, type RequestOptions, type Response, type TestScope } from '../harness/index.ts';
import { type KillableCore, killableCore } from './delegated-core.ts';

const SERVER = 'wardle-server';
const FLUNDERS = '/apis/wardle.example.com/v1alpha1/namespaces/allowed/flunders';
const KILLS = 3;
/** How long the word of the core counts, in place of ten seconds. */
const TTL_MS = 1_000;
const TTL_FLAGS = [
  `--authentication-token-webhook-cache-ttl=${TTL_MS}ms`,
  `--authorization-webhook-cache-authorized-ttl=${TTL_MS}ms`,
  `--authorization-webhook-cache-unauthorized-ttl=${TTL_MS}ms`,
];
/** A second is promised; another is for a machine that does other things as well. */
const RECOVERED_WITHIN_MS = 2_000;
const REVOKED_WITHIN_MS = TTL_MS + 1_000;
/** The core believes a good token so long itself, as the original does, and wardle believes the core. */
const CORE_TOKEN_TTL_MS = 10_000;
const GIVE_UP_MS = 20_000;
const POLL_MS = 20;

test('wardle is there before its core, and ready within a second of it', async (t) => {
  const core = await preparedCore(t);
  await core.target.kill();
  const wardle = await startWardle(t, core);
  assert.equal((await wardle.ask('/livez')).status, 200);
  const ready = await wardle.ask('/readyz');
  assert.equal(ready.status, 500);
  assert.match(ready.body, /\[-\]authentication-trust failed/);
  assert.match(ready.body, /\[-\]namespaces failed/);
  const alice = { token: core.aliceToken };
  assertStatus(await wardle.ask(FLUNDERS, alice), 401, 'a token that nobody can judge');
  assertStatus(await wardle.ask(FLUNDERS), 500, 'somebody who shows nothing');

  await core.target.start();
  const readyMs = await untilStatus(wardle, '/readyz', { want: 200, who: {} });
  const servedMs = await untilStatus(wardle, FLUNDERS, { want: 200, who: alice });
  t.diagnostic(`ready ${readyMs} ms after the core, serving ${servedMs} ms later`);
  assert.ok(readyMs + servedMs <= RECOVERED_WITHIN_MS, `${readyMs} + ${servedMs} ms`);
});

test(`wardle survives ${KILLS} kills of its core`, async (t) => {
  const core = await preparedCore(t);
  const wardle = await startWardle(t, core);
  const alice = { token: core.aliceToken };
  const bob = await core.userCertificate('bob');
  await untilStatus(wardle, '/readyz', { want: 200, who: {} });
  for (let kill = 1; kill <= KILLS; kill += 1) {
    assert.equal((await wardle.ask(FLUNDERS, alice)).status, 200);
    await core.target.kill();
    await sleep(TTL_MS + POLL_MS); // What the core said does not count any more.
    assert.equal((await wardle.ask('/livez')).status, 200);
    // What it has learned it still knows, so that it is as ready as it was.
    assert.equal((await wardle.ask('/readyz')).status, 200);
    assertStatus(await wardle.ask(FLUNDERS, alice), 401, 'a token that nobody can judge');
    assertStatus(await wardle.ask(FLUNDERS, bob), 500, 'a user whose rights nobody knows');
    const { status, body } = await create(wardle, `during-${kill}`, core.admin);
    assert.equal(status, 201, `an administrator needs nobody's word: ${body}`);
    const elsewhere = FLUNDERS.replace('allowed', `unknown-${kill}`);
    const unknown = await wardle.ask(elsewhere, {
      method: 'POST',
      body: flunder('a'),
      ...core.admin,
    });
    assertStatus(unknown, 500, 'a namespace that nobody can ask for');

    await core.target.start();
    const tookMs = await untilStatus(wardle, FLUNDERS, { want: 200, who: alice });
    t.diagnostic(`kill ${kill}: serving ${tookMs} ms after the core is ready`);
    assert.ok(tookMs <= RECOVERED_WITHIN_MS, `${tookMs} ms`);
    assertStatus(await wardle.ask(FLUNDERS, bob), 403, 'a user without rights');
    // It follows the namespaces of the new core.
    const later = `later-${kill}`;
    await asAdmin(core, 'POST', '/api/v1/namespaces', { metadata: { name: later } });
    const made = await wardle.ask(FLUNDERS.replace('allowed', later), {
      method: 'POST',
      body: flunder('a'),
      ...core.admin,
    });
    assert.equal(made.status, 201, made.body);
  }
});

test('a role or an account that is taken away counts no longer than the caches', async (t) => {
  const core = await preparedCore(t);
  const wardle = await startWardle(t, core);
  await untilStatus(wardle, '/readyz', { want: 200, who: {} });
  const alice = { token: core.aliceToken };
  const robot = { token: await robotToken(core) };
  for (const who of [alice, robot]) await untilStatus(wardle, FLUNDERS, { want: 200, who });

  await revokeFlunders(core, { name: 'alice', namespace: 'allowed' });
  const roleMs = await untilStatus(wardle, FLUNDERS, { want: 403, who: alice });
  // Others are not touched.
  assert.equal((await wardle.ask(FLUNDERS, robot)).status, 200);
  await asAdmin(core, 'DELETE', '/api/v1/namespaces/allowed/serviceaccounts/robot');
  const accountMs = await untilStatus(wardle, FLUNDERS, { want: 401, who: robot });
  t.diagnostic(`the role counted ${roleMs} ms more, the account ${accountMs} ms`);
  assert.ok(roleMs <= REVOKED_WITHIN_MS, `the role: ${roleMs} ms`);
  assert.ok(accountMs <= CORE_TOKEN_TTL_MS + REVOKED_WITHIN_MS, `the account: ${accountMs} ms`);
});

/** It runs; wardle may ask it, and alice may do everything with flunders in one namespace. */
async function preparedCore(t: TestScope): Promise<KillableCore> {
  const core = await killableCore(t);
  await core.target.start();
  await grantDelegation(core, SERVER);
  await asAdmin(core, 'POST', '/api/v1/namespaces', { metadata: { name: 'allowed' } });
  await grantFlunders(core, { name: 'alice', namespace: 'allowed', subject: user('alice') });
  return core;
}

async function startWardle(t: TestScope, core: KillableCore): Promise<DelegatingWardle> {
  const as = await core.userCertificate(SERVER);
  return startDelegatingWardle(t, { core, as, flags: TTL_FLAGS });
}

async function robotToken(core: KillableCore): Promise<string> {
  const accounts = '/api/v1/namespaces/allowed/serviceaccounts';
  await asAdmin(core, 'POST', accounts, { metadata: { name: 'robot' } });
  const subject = { kind: 'ServiceAccount', name: 'robot', namespace: 'allowed' };
  await grantFlunders(core, { name: 'robot', namespace: 'allowed', subject });
  const issued = await asAdmin(core, 'POST', `${accounts}/robot/token`, { spec: {} });
  return (issued.json() as { status: { token: string } }).status.token;
}

function create(wardle: DelegatingWardle, name: string, who: RequestOptions): Promise<Response> {
  return wardle.ask(FLUNDERS, { method: 'POST', body: flunder(name), ...who });
}

function flunder(name: string): object {
  return { apiVersion: 'wardle.example.com/v1alpha1', kind: 'Flunder', metadata: { name } };
}

function assertStatus(response: Response, code: number, what: string): void {
  assert.equal(response.status, code, `${what}: ${response.body}`);
  const status = response.json() as { kind: string; status: string; code: number };
  assert.deepEqual(
    [status.kind, status.status, status.code],
    ['Status', 'Failure', code],
    `${what}: ${response.body}`,
  );
}

/** How long it took until the answer was the wanted one; fails after much longer than is good. */
async function untilStatus(
  wardle: DelegatingWardle,
  path: string,
  { want, who }: { want: number; who: RequestOptions },
): Promise<number> {
  using time = ownTime();
  for (;;) {
    const { status, body } = await wardle.ask(path, who);
    const tookMs = Math.round(time.elapsedMs());
    if (status === want) return tookMs;
    if (tookMs > GIVE_UP_MS) throw new Error(`${path} is still answered with ${status}: ${body}`);
    await sleep(POLL_MS);
  }
}
