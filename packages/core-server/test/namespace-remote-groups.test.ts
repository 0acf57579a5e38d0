/** What the controller of namespaces does with groups that other servers serve. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Namespace } from '@tributary/api/core-v1';
import { systemClock } from '@tributary/client';
import type { RemoteGroups } from '@tributary/client/controller';
import { configMaps, namespaces, SharedInformers } from '@tributary/client/controller';
import { VirtualClock } from '../../../test/harness/index.ts';
import { runNamespaceController } from '../src/controllers/namespace/namespace-controller.ts';
import { eventually, startTestCore, type TestCore } from './core-fixture.ts';

let core: TestCore;
/** Of the controller alone: it looks again by itself only when a test lets time pass. */
const clock = new VirtualClock(Date.now());
let problem: string | undefined = 'FailedDiscoveryCheck: nobody is there';
let settle: RemoteGroups['deferDeletion'] = async () => 'wait';
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
    deferDeletion: (namespace, groups, signal) => settle(namespace, groups, signal),
    follow: (hear) => {
      listeners.add(hear);
      return () => listeners.delete(hear);
    },
  };
  const { signal } = stop;
  const done = runNamespaceController(
    { client: core.admin, informers, clock, log, signal },
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

/** Longer than the pause of a controller between two looks. */
const PAUSE_MS = 20_000;

/** What comes when time passes for the controller. */
function inTime<T>(read: () => Promise<T>, isRight: (value: T) => boolean): Promise<T> {
  return eventually(async () => {
    await clock.advance(PAUSE_MS);
    return read();
  }, isRight);
}

const isGone = (name: string) => inTime(async () => (await find(name)) === undefined, Boolean);

test('a namespace is there until what it owes is written, and is empty before it is asked', async () => {
  const settled = Promise.withResolvers<'owed'>();
  const asked: string[] = [];
  settle = async ({ name, uid }, groups) => {
    if (name !== 'order') return 'owed';
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
  // Another one, which waits for nobody, goes all the way meanwhile.
  await all().create({ metadata: { name: 'marker' }, spec: {}, status: {} });
  await all().delete('marker');
  await isGone('marker');
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
  await isGone('order');
});

test('a debt that cannot be written keeps the namespace', async () => {
  let attempts = 0;
  settle = async () => {
    attempts += 1;
    throw new Error('the store is full');
  };
  await all().create({ metadata: { name: 'kept' }, spec: {}, status: {} });
  await all().delete('kept');
  await inTime(
    async () => attempts,
    (count) => count > 2,
  );
  assert.ok(await find('kept'));
  settle = async () => 'owed';
  await isGone('kept');
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
  // No time passes, so nobody looks by itself; its conditions were written once, which is one more look.
  for (let told = 0; told < 5; told += 1) {
    const before = attempts;
    for (const hear of listeners) hear();
    await eventually(
      async () => attempts,
      (count) => count > before,
    );
  }
  settle = async () => 'owed';
  problem = undefined;
  for (const hear of listeners) hear();
  await eventually(async () => (await find('back')) === undefined, Boolean);
});
