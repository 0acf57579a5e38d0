/** The namespace controller with groups that other servers serve. */

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
/** The clock of the controller: it retries only when a test advances the time. */
const clock = new VirtualClock(Date.now());
let problem: string | undefined = 'FailedDiscoveryCheck: nobody is there';
let deferDeletion: RemoteGroups['deferDeletion'] = async () => 'wait';
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
  const log = { error() {} } as never; // No other errors are expected.
  const remoteGroups: RemoteGroups = {
    all: () => new Map([['wardle.example.com/v1', problem]]),
    deleteContent: async () => ({ count: 0, finalizers: new Map() }),
    deferDeletion: (namespace, groups, signal) => deferDeletion(namespace, groups, signal),
    follow: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
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

/** Longer than the controller's pause between two attempts. */
const PAUSE_MS = 20_000;

/** Reads while the controller's time advances. */
function inTime<T>(read: () => Promise<T>, isRight: (value: T) => boolean): Promise<T> {
  return eventually(async () => {
    await clock.advance(PAUSE_MS);
    return read();
  }, isRight);
}

const isGone = (name: string) => inTime(async () => (await find(name)) === undefined, Boolean);

test('a namespace is deleted after its pending deletions are stored', async () => {
  const settled = Promise.withResolvers<'owed'>();
  const asked: string[] = [];
  deferDeletion = async ({ name, uid }, groups) => {
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
  // Another namespace is deleted completely meanwhile.
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

test('a namespace is not deleted while pending deletions cannot be stored', async () => {
  let attempts = 0;
  deferDeletion = async () => {
    attempts += 1;
    throw new Error('the store is full');
  };
  await all().create({ metadata: { name: 'waiting' }, spec: {}, status: {} });
  await all().delete('waiting');
  await inTime(
    async () => attempts,
    (count) => count > 2,
  );
  assert.ok(await find('waiting'));
  deferDeletion = async () => 'owed';
  await isGone('waiting');
});

test('a server that becomes available ends the wait at once', async () => {
  let attempts = 0;
  deferDeletion = async () => {
    attempts += 1;
    return 'wait';
  };
  await all().create({ metadata: { name: 'back' }, spec: {}, status: {} });
  await all().delete('back');
  await eventually(
    async () => attempts,
    (count) => count > 0,
  );
  // The server is available, but its resources are unknown, so the namespace still waits. Time does not advance, so the
  // controller does not retry; writing the conditions caused one more attempt.
  for (let change = 0; change < 5; change += 1) {
    const before = attempts;
    for (const listener of listeners) listener();
    await eventually(
      async () => attempts,
      (count) => count > before,
    );
  }
  deferDeletion = async () => 'owed';
  problem = undefined;
  for (const listener of listeners) listener();
  await eventually(async () => (await find('back')) === undefined, Boolean);
});
