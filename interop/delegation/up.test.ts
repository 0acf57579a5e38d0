import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventuallySucceeds } from '../../test/harness/index.ts';
import { grantDelegation } from './core.ts';
import { upCore } from './our-core.ts';
import { delegationSuite } from './suite.ts';
import { startDelegatingWardle } from './wardle.ts';

delegationSuite('tributary up', async (scope) => {
  const core = await upCore(scope);
  await core.start();
  return core;
});

const SERVER = 'early-wardle';
const FLUNDERS = '/apis/wardle.example.com/v1alpha1/namespaces/default/flunders';

test('wardle starts before its core, and survives its restarts', async (t) => {
  const core = await upCore(t);
  const wardle = await startDelegatingWardle(t, { core, as: await core.userCertificate(SERVER) });
  const codes = async (...paths: string[]): Promise<number[]> =>
    Promise.all(paths.map(async (path) => (await wardle.ask(path)).status));
  assert.deepEqual(await codes('/livez', '/readyz'), [200, 500]);
  await core.start();
  await grantDelegation(core, SERVER);
  await eventuallySucceeds(async () => assert.deepEqual(await codes('/readyz'), [200]));
  const alice = { token: core.aliceToken };
  await eventuallySucceeds(async () =>
    assert.equal((await wardle.ask(FLUNDERS, alice)).status, 403),
  );
  await core.stop();
  assert.deepEqual(await codes('/livez'), [200]);
  const bob = await core.userCertificate('bob');
  assert.equal((await wardle.ask(FLUNDERS, bob)).status, 500);
  assert.equal((await wardle.ask(FLUNDERS, core.admin)).status, 200);
  await core.start();
  await eventuallySucceeds(async () => assert.equal((await wardle.ask(FLUNDERS, bob)).status, 403));
});
