/** wardle delegates authentication and authorization to a control plane that is killed with SIGKILL. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asAdmin, revokeFlunders } from '../../interop/delegation/core.ts';
import type { DelegatingWardle } from '../../interop/delegation/wardle.ts';
import type { RequestOptions, Response } from '../harness/index.ts';
import { FLUNDERS, preparedCore, robotToken, startWardle, untilStatus } from './delegated-core.ts';

const KILLS = 3;

test('wardle is there before its core, and ready after it', async (t) => {
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
  await untilStatus(wardle, '/readyz', { want: 200, who: {} });
  await untilStatus(wardle, FLUNDERS, { want: 200, who: alice });
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
    // Earlier decisions of the core expire with the caches.
    for (const [who, want] of [
      [alice, 401],
      [bob, 500],
    ] as const) {
      await untilStatus(wardle, FLUNDERS, { want, who });
    }
    assert.equal((await wardle.ask('/livez')).status, 200);
    // Its copies stay, so that it is as ready as before.
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
    await untilStatus(wardle, FLUNDERS, { want: 200, who: alice });
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

test('a role or an account that is taken away ends with the caches', async (t) => {
  const core = await preparedCore(t);
  const wardle = await startWardle(t, core);
  await untilStatus(wardle, '/readyz', { want: 200, who: {} });
  const alice = { token: core.aliceToken };
  const robot = { token: await robotToken(core) };
  for (const who of [alice, robot]) await untilStatus(wardle, FLUNDERS, { want: 200, who });

  await revokeFlunders(core, { name: 'alice', namespace: 'allowed' });
  await untilStatus(wardle, FLUNDERS, { want: 403, who: alice });
  // Others are not touched.
  assert.equal((await wardle.ask(FLUNDERS, robot)).status, 200);
  await asAdmin(core, 'DELETE', '/api/v1/namespaces/allowed/serviceaccounts/robot');
  await untilStatus(wardle, FLUNDERS, { want: 401, who: robot });
});

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
