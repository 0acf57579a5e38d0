/** What the controller of namespaces does with groups that other servers serve. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@tributary/client';
import { runNamespaceController } from '../src/controllers/namespace/namespace-controller.ts';
import type { RemoteGroups } from '../src/controllers/namespace/remote-groups.ts';
import { configMaps, namespaces } from '../src/controllers/resources.ts';
import { SharedInformers } from '../src/controllers/shared-informers.ts';
import type { Namespace } from '../src/generated/core-v1.ts';
import { eventually, startTestCore, type TestCore } from './core-fixture.ts';

let core: TestCore;
let problem: string | undefined = 'FailedDiscoveryCheck: nobody is there';
let settle: RemoteGroups['settle'] = async () => 'wait';
const listeners = new Set<() => void>();
const stop = new AbortController();
let ended: Promise<unknown>;

before(async () => {
  core = await startTestCore({
    config: { disabledControllers: new Set(['namespace-controller']) },
  });
  const informers = new SharedInformers({
    client: core.admin,
    clock: systemClock,
    onError: () => {},
  });
  const log = { error() {} } as never; // it complains of nothing else
  const remoteGroups: RemoteGroups = {
    all: () => new Map([['wardle.example.com/v1', problem]]),
    deleteContent: async () => ({ count: 0, finalizers: new Map() }),
    settle: (namespace, groups, signal) => settle(namespace, groups, signal),
    follow: (hear) => {
      listeners.add(hear);
      return () => listeners.delete(hear);
    },
  };
  const { signal } = stop;
  const done = runNamespaceController(
    { client: core.admin, informers, clock: systemClock, log, signal },
    { remoteGroups },
  );
  ended = Promise.all([
    done,
    new Promise((resolve) => signal.addEventListener('abort', resolve)),
  ]).then(() => informers.close());
});
after(async () => {
  stop.abort(new Error('the test has ended'));
  await ended;
  await core[Symbol.asyncDispose]();
});

const all = () => core.admin.resource<Namespace>(namespaces);
const find = (name: string) =>
  all()
    .get(name)
    .catch(() => undefined);

test('a namespace is there until what it owes is written, and is empty before it is asked', async () => {
  const settled = Promise.withResolvers<'owed'>();
  const asked: string[] = [];
  settle = async ({ name, uid }, groups) => {
    const maps = await core.admin.resource(configMaps).in(name).list();
    asked.push(`${groups.map(({ groupVersion, why }) => `${groupVersion} ${why}`)}`);
    assert.equal((await find(name))?.metadata.uid, uid);
    assert.deepEqual(
      maps.items.filter(({ metadata }) => metadata.name === 'here'),
      [],
    );
    return settled.promise;
  };
  await all().create({ metadata: { name: 'order' }, spec: {}, status: {} });
  await core.admin
    .resource(configMaps)
    .in('order')
    .create({ metadata: { name: 'here' } });
  await all().delete('order');
  await eventually(
    async () => asked.length,
    (count) => count > 0,
  );
  assert.equal(asked[0], 'wardle.example.com/v1 FailedDiscoveryCheck: nobody is there');
  await sleep(300);
  assert.deepEqual(
    (await find('order'))?.spec.finalizers,
    ['kubernetes'],
    'it went before its debt',
  );
  const condition = await eventually(
    async () => (await find('order'))?.status.conditions?.find(({ status }) => status === 'True'),
    (found) => found !== undefined,
  );
  assert.equal(condition?.type, 'NamespaceDeletionDiscoveryFailure');
  assert.equal(
    condition?.message,
    'Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: wardle.example.com/v1: FailedDiscoveryCheck: nobody is there',
  );
  settled.resolve('owed');
  await eventually(async () => (await find('order')) === undefined, Boolean);
});

test('a debt that cannot be written keeps the namespace', async () => {
  let attempts = 0;
  settle = async () => {
    attempts += 1;
    throw new Error('the store is full');
  };
  await all().create({ metadata: { name: 'kept' }, spec: {}, status: {} });
  await all().delete('kept');
  await eventually(
    async () => attempts,
    (count) => count > 2,
  );
  assert.ok(await find('kept'));
  settle = async () => 'owed';
  await eventually(async () => (await find('kept')) === undefined, Boolean);
});

test('a server that is back is heard of at once', async () => {
  let attempts = 0;
  settle = async () => {
    attempts += 1;
    return 'wait';
  };
  await all().create({ metadata: { name: 'back' }, spec: {}, status: {} });
  await all().delete('back');
  await eventually(
    async () => attempts,
    (count) => count > 0,
  );
  // It answers now; whether it has something is not known, and what is unknown is still waited for.
  // By itself it is looked at again after a second, and when its conditions are written.
  await sleep(300);
  const before = attempts;
  for (const hear of listeners) hear();
  await eventually(
    async () => attempts,
    (count) => count > before,
    500,
  );
  settle = async () => 'owed';
  problem = undefined;
  for (const hear of listeners) hear();
  await eventually(async () => (await find('back')) === undefined, Boolean);
});
