/**
 * Namespaces that are deleted while a server does not respond: its leftovers are deleted before any client sees them.
 */

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { apiServices, type NamespaceDebt, namespaceDebts } from '@tributary/aggregator';
import type { APIService } from '@tributary/api/apiregistration-v1';
import type { Namespace } from '@tributary/api/core-v1';
import { type KubeObject, StatusError } from '@tributary/apimachinery';
import { type Client, systemClock } from '@tributary/client';
import { namespaces } from '@tributary/client/controller';
import { openMemoryStorage } from '@tributary/storage';
import { eventually } from '../../packages/core-server/test/core-fixture.ts';
import { eventually as eventuallySeen } from '../harness/index.ts';
import {
  API_SERVICE,
  createNamespace,
  type DebtsCore,
  type DebtsCoreOptions,
  flunder,
  flunders,
  registered,
  startDebtsCore,
  startWardle,
  type Wardle,
} from './namespace-deletion-fixture.ts';

const events = { group: '', version: 'v1', plural: 'events', namespaced: true };
const configMaps = { group: '', version: 'v1', plural: 'configmaps', namespaced: true };
const quick = { retriesMax: 0 } as const;
const GRACE_MS = 60_000;
/** Three pages, or ten. */
const MANY = process.env.TRIBUTARY_FULL === '1' ? 2_500 : 600;
/** For the deletion of all of them on a busy machine. */
const LONG_MS = 120_000;

async function codeOf(promise: Promise<unknown>): Promise<number> {
  try {
    await promise;
    return 200;
  } catch (error) {
    if (error instanceof StatusError) return error.code;
    throw error;
  }
}

const namespaceCode = (admin: Client) =>
  codeOf(admin.resource<Namespace>(namespaces).get('team', quick));
const isGone = (admin: Client) =>
  eventually(
    () => namespaceCode(admin),
    (code) => code === 404,
  );
const debtsOf = async (admin: Client) =>
  (await admin.resource<NamespaceDebt>(namespaceDebts).list()).items;
const isPaid = (admin: Client, withinMs?: number) =>
  eventually(
    () => debtsOf(admin),
    ({ length }) => length === 0,
    withinMs,
  );
const namesIn = async (client: Client) =>
  (await client.resource(flunders).in('team').list(quick)).items.map(
    ({ metadata }) => metadata.name,
  );
const status = (admin: Client) =>
  eventually(
    () => admin.resource<APIService>(apiServices).get(API_SERVICE),
    ({ status: now }) => now.conditions?.[0]?.status === 'True',
  );

interface Scene extends DebtsCore {
  readonly wardle: Wardle;
}

/** A namespace with flunders, which the server that has them knows of through the aggregator. */
async function scene(
  t: TestContext,
  options: DebtsCoreOptions,
  objects: readonly KubeObject[],
): Promise<Scene> {
  const wardle = await startWardle(t);
  const made = await startDebtsCore(options);
  t.after(() => made[Symbol.asyncDispose]());
  await made.admin.resource<APIService>(apiServices).create(registered(wardle));
  await createNamespace(made.admin, 'team');
  await status(made.admin);
  const all = made.admin.resource(flunders).in('team');
  await eventually(
    () => codeOf(all.list(quick)),
    (code) => code === 200,
  );
  for (const object of objects) await wardle.direct.resource(flunders).in('team').create(object);
  return { ...made, wardle };
}

const deleteNamespace = (admin: Client) => admin.resource<Namespace>(namespaces).delete('team');

describe('a namespace with objects on another server', () => {
  test('goes with them when it answers', async (t) => {
    const { admin, wardle } = await scene(t, {}, [flunder('one'), flunder('two')]);
    await deleteNamespace(admin);
    await isGone(admin);
    assert.deepEqual(await namesIn(wardle.direct), []);
    assert.deepEqual(await debtsOf(admin), []);
  });

  test('waits for one that is dead, says so, and leaves in debt; nobody sees what it left', async (t) => {
    const { admin, wardle, outcomes, pass } = await scene(t, { graceMs: GRACE_MS }, [
      flunder('one'),
    ]);
    await admin
      .resource(configMaps)
      .in('team')
      .create({ metadata: { name: 'here' } });
    await wardle.stop();
    await deleteNamespace(admin);
    const { status } = await eventually(
      () => admin.resource<Namespace>(namespaces).get('team'),
      ({ status: now }) => (now.conditions ?? []).some(({ status: is }) => is === 'True'),
    );
    const failure = status.conditions?.find(
      ({ type }) => type === 'NamespaceDeletionDiscoveryFailure',
    );
    assert.equal(failure?.status, 'True');
    assert.equal(failure?.reason, 'DiscoveryFailed');
    assert.match(failure?.message ?? '', /1 failing.*wardle\.example\.com\/v1: /);
    const maps = admin.resource(configMaps).in('team');
    await eventually(
      () => maps.list(),
      ({ items }) => items.every(({ metadata }) => metadata.name !== 'here'),
    );
    await eventuallySeen('it was looked at again and again', () => outcomes.length >= 5);
    assert.deepEqual([...new Set(outcomes)], ['wait'], 'not before its time');
    assert.deepEqual(await debtsOf(admin), []);
    pass(GRACE_MS);
    await isGone(admin);
    const [debt] = await debtsOf(admin);
    assert.equal(debt?.spec.namespace, 'team');
    assert.deepEqual(debt?.spec.resources, [
      { group: 'wardle.example.com', version: 'v1', resource: 'flunders' },
    ]);

    // The namespace is created again, and the server returns: a client in a loop sees a refusal, then nothing.
    await createNamespace(admin, 'team');
    await wardle.start();
    const seen: string[] = [];
    const ask = async () => {
      try {
        seen.push(`found ${(await namesIn(admin)).join()}`);
        return true;
      } catch (error) {
        assert.ok(error instanceof StatusError);
        assert.equal(error.code, 503);
        if (seen.at(-1) !== error.message) seen.push(error.message);
        return false;
      }
    };
    await eventuallySeen('it is let in', ask, { everyMs: 0 });
    assert.equal(seen.at(-1), 'found ', seen.join('\n'));
    await isPaid(admin);
    assert.deepEqual(await namesIn(wardle.direct), []);
    const found = await eventually(
      async () => (await admin.resource(events).in('default').list()).items,
      (items) => items.some(({ reason }) => reason === 'NamespaceDebtPaid'),
    );
    const event = found.find(({ reason }) => reason === 'NamespaceDebtPaid');
    assert.match(String(event?.message), /^Namespace team \(.*\): what it left here is deleted$/);
    await admin.resource(flunders).in('team').create(flunder('new'));
    assert.deepEqual(await namesIn(admin), ['new']);
  });

  test('never goes where that is the rule', async (t) => {
    const { admin, wardle, outcomes, pass } = await scene(t, { mode: 'wait', graceMs: 0 }, [
      flunder('one'),
    ]);
    await wardle.stop();
    await deleteNamespace(admin);
    await eventuallySeen('it waits', () => outcomes.length > 0);
    pass(GRACE_MS);
    const before = outcomes.length;
    await eventuallySeen('it was looked at again and again', () => outcomes.length >= before + 5);
    assert.deepEqual([...new Set(outcomes)], ['wait']);
    assert.equal(await namespaceCode(admin), 200);
    assert.deepEqual(await debtsOf(admin), []);
    await wardle.start();
    await isGone(admin);
    assert.deepEqual(await namesIn(wardle.direct), []);
  });
});

describe('a debt', () => {
  test(`of ${MANY} objects is paid page by page, also when the server dies in the middle`, async (t) => {
    const { admin, wardle } = await scene(t, { graceMs: 0 }, []);
    const direct = wardle.direct.resource(flunders).in('team');
    const numbers = Array.from({ length: MANY }, (_, index) => index).values();
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (const number of numbers) await direct.create(flunder(`f${number}`));
      }),
    );
    await wardle.stop();
    await deleteNamespace(admin);
    await isGone(admin);
    let deletions = 0;
    wardle.refuses = (method) => method === 'DELETE' && ++deletions > MANY / 4;
    await wardle.start();
    await eventually(
      async () => deletions,
      (count) => count > MANY / 4,
      LONG_MS,
    );
    await wardle.stop();
    assert.equal((await debtsOf(admin)).length, 1);
    wardle.refuses = undefined;
    await wardle.start();
    assert.equal(await codeOf(admin.resource(flunders).in('team').list(quick)), 503);
    await isPaid(admin, LONG_MS);
    assert.deepEqual(await namesIn(wardle.direct), []);
    const single = wardle.asked.filter((line) => line.startsWith('DELETE '));
    assert.ok(single.length < MANY, 'what was deleted before is not deleted again');
  });

  test('outlives the process: the next one refuses from its first request', async (t) => {
    const storage = openMemoryStorage();
    const directory = await mkdtemp(join(tmpdir(), 'debts-'));
    t.after(async () => {
      await storage.close();
      await rm(directory, { recursive: true, force: true });
    });
    const wardle = await startWardle(t);
    const options = { storage, directory, graceMs: 0 };
    {
      await using first = await startDebtsCore(options);
      const { admin } = first;
      await admin.resource<APIService>(apiServices).create(registered(wardle));
      await createNamespace(admin, 'team');
      await status(admin);
      await wardle.direct.resource(flunders).in('team').create(flunder('old'));
      await wardle.stop();
      await deleteNamespace(admin);
      await isGone(admin);
    }
    // It is back before the next process is, and does not do what it is told for a while.
    wardle.refuses = (method) => method === 'DELETE';
    await wardle.start();
    await using second = await startDebtsCore(options);
    const { admin } = second;
    await createNamespace(admin, 'team');
    for (let count = 0; count < 20; count += 1) {
      assert.equal(await codeOf(admin.resource(flunders).in('team').list(quick)), 503);
    }
    const [debt] = await eventually(
      () => debtsOf(admin),
      ([one]) => one?.status.message !== undefined,
    );
    assert.equal(await codeOf(admin.resource(flunders).in('team').list(quick)), 503);
    assert.match(debt?.status.message ?? '', /flunders\/old: answered 500/);
    wardle.refuses = undefined;
    await isPaid(admin);
    await eventually(
      () => codeOf(admin.resource(flunders).in('team').list(quick)),
      (code) => code === 200,
    );
    assert.deepEqual(await namesIn(admin), []);
  });

  test('leaves alone what is younger than another namespace of the same name', async (t) => {
    const { admin, wardle } = await scene(t, { graceMs: 0 }, [flunder('old')]);
    await wardle.stop();
    await deleteNamespace(admin);
    await isGone(admin);
    wardle.refuses = (method, path) => method === 'GET' && path.endsWith('/flunders');
    const { metadata } = await createNamespace(admin, 'team');
    // Times of creation are cut to seconds.
    const nextMs = Date.parse(metadata.creationTimestamp ?? '') + 1_000;
    await eventuallySeen('the next second', () => systemClock.nowMs() > nextMs);
    await wardle.start();
    await wardle.direct.resource(flunders).in('team').create(flunder('young'));
    wardle.refuses = undefined;
    await isPaid(admin);
    assert.deepEqual(await namesIn(wardle.direct), ['young']);
  });

  test('lets everybody in when everything is deleted, and stays until finalizers let go', async (t) => {
    const held = flunder('held', { finalizers: ['example.com/hold'] });
    const { admin, wardle } = await scene(t, { graceMs: 0 }, [held, flunder('free')]);
    await wardle.stop();
    await deleteNamespace(admin);
    await isGone(admin);
    await wardle.start();
    const all = admin.resource(flunders).in('team');
    await eventually(
      () => codeOf(all.list(quick)),
      (code) => code === 200,
    );
    const { items } = await all.list();
    assert.deepEqual(
      items.map(({ metadata }) => [metadata.name, metadata.deletionTimestamp !== undefined]),
      [['held', true]],
    );
    const [debt] = await eventually(
      () => debtsOf(admin),
      ([one]) => one?.status.message !== undefined,
    );
    assert.equal(debt?.status.message, 'everything is deleted and waits for example.com/hold');
    await all.patch('held', { kind: 'merge', body: { metadata: { finalizers: null } } });
    await isPaid(admin);
  });

  test('ends with its APIService, with an event', async (t) => {
    const { admin, wardle } = await scene(t, { graceMs: 0 }, [flunder('one')]);
    await wardle.stop();
    await deleteNamespace(admin);
    await isGone(admin);
    assert.equal((await debtsOf(admin)).length, 1);
    await admin.resource<APIService>(apiServices).delete(API_SERVICE);
    await isPaid(admin);
    const items = await eventually(
      async () => (await admin.resource(events).in('default').list()).items,
      (all) => all.some(({ reason }) => reason === 'NamespaceDebtForgiven'),
    );
    const event = items.find(({ reason }) => reason === 'NamespaceDebtForgiven');
    assert.match(String(event?.message), new RegExp(`APIService ${API_SERVICE} is deleted$`));
  });
});
