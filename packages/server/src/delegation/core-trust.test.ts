import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { initialEventsEndAnnotation, notFound } from '@tributary/apimachinery';
import type { Client, WatchOptions } from '@tributary/client';
import { manualClock } from '@tributary/storage';
import { createAuthority } from '../../../../test/harness/index.ts';
import { silentLog } from '../../test/log-fixture.ts';
import type { Reload } from '../auth/trust-source.ts';
import { followCoreTrust } from './core-trust.ts';
import type { ConfigMap } from './trust-config-map.ts';

const trustOf = (clientCa: string, resourceVersion: string): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: 'extension-apiserver-authentication',
    namespace: 'kube-system',
    resourceVersion,
  },
  data: { 'client-ca-file': clientCa },
});

/** A core server whose watch sends the initial events and then nothing, as on a dead connection. */
function silentCore(initial: ConfigMap) {
  const state: { live: ConfigMap | undefined; asked: number } = { live: initial, asked: 0 };
  async function* watch({ signal }: WatchOptions) {
    yield { type: 'ADDED', object: initial };
    const annotations = { [initialEventsEndAnnotation]: 'true' };
    yield { type: 'BOOKMARK', object: { metadata: { resourceVersion: '1', annotations } } };
    await new Promise((resolve) => signal?.addEventListener('abort', resolve));
  }
  const get = async () => {
    state.asked += 1;
    if (state.live === undefined) throw notFound({ group: '', resource: 'configmaps' }, 'x');
    return state.live;
  };
  const client = { resource: () => ({ in: () => ({ watch, get }) }) } as unknown as Client;
  return { state, client };
}

async function follow(t: TestContext, client: Client) {
  const clock = manualClock();
  const { log, lines } = silentLog();
  const trust = followCoreTrust({
    client,
    clock,
    log,
    wanted: { clientCa: true, requestHeader: false },
    tolerateLookupFailure: false,
  });
  t.after(() => trust[Symbol.asyncDispose]());
  const reloads: Reload[] = [];
  const stop = trust.follow((changed) => reloads.push(changed));
  for (let turns = 0; turns < 20; turns += 1) await turn();
  const minute = async () => {
    clock.advance(60_000);
    for (let turns = 0; turns < 20; turns += 1) await turn();
  };
  return { trust, reloads: reloads, stop, minute, lines };
}

test('a change that the watch does not tell of is found within a minute', async (t) => {
  const [one, two, three] = await Promise.all(['1', '2', '3'].map((name) => createAuthority(name)));
  const first = trustOf(one?.cert ?? '', '1');
  const { client, state } = silentCore(first);
  const { reloads, minute, stop, trust } = await follow(t, client);
  assert.deepEqual(reloads, [{ clientCa: one?.cert }]);
  assert.equal(trust.healthCheck.check(), undefined);
  await minute();
  assert.equal(state.asked, 1);
  assert.equal(reloads.length, 1, 'the same is told once');
  state.live = trustOf(two?.cert ?? '', '2');
  await minute();
  assert.deepEqual(reloads.at(-1), { clientCa: two?.cert });
  state.live = undefined;
  await minute();
  assert.equal(reloads.length, 2, 'a ConfigMap that is gone changes nothing');
  const late: Reload[] = [];
  trust.follow((changed) => late.push(changed));
  assert.deepEqual(late, [{ clientCa: two?.cert }], 'who comes late hears what is known');
  stop();
  state.live = trustOf(three?.cert ?? '', '3');
  await minute();
  assert.equal(reloads.length, 2);
  assert.equal(late.length, 2);
});
