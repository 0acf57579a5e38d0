import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as settle } from 'node:timers/promises';
import { VirtualClock } from '../../../../../test/harness/index.ts';
import { silentLog } from '../../../../server/test/log-fixture.ts';
import { collectorQueue } from './collector-queue.ts';
import { GroupAway } from './errors.ts';
import { virtualNode } from './graph-node.ts';
import { groupHealth } from './group-health.ts';

const GROUP = 'remote.example.com/v1';
const LOOK_AGAIN_MS = 30_000;
const node = { apiVersion: GROUP, kind: 'Thing', namespace: 'default', name: 'a', uid: 'a' };

async function rest(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await settle();
}

/** One node whose work always finds its server away; each attempt ends when the test lets it. */
function waiting() {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const health = groupHealth(undefined, { clock, signal: stop.signal });
  const collector = collectorQueue('test', health, {
    clock,
    log: silentLog().log,
    signal: stop.signal,
  });
  const attempts: (() => void)[] = [];
  const done = collector.run(async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    attempts.push(resolve);
    await promise;
    throw new GroupAway(GROUP, 'it is away');
  });
  const end = async () => {
    stop.abort();
    for (const finish of attempts) finish();
    await done;
  };
  return { clock, collector, attempts, end };
}

interface Row {
  readonly name: string;
  /** Whether the servers come back before the attempt has failed, after it, or not at all. */
  readonly back: 'meanwhile' | 'later' | 'never';
  readonly elsewhere?: true;
  readonly attempts: number;
}

const rows: readonly Row[] = [
  { name: 'nobody comes back', back: 'never', attempts: 1 },
  { name: 'its server is back', back: 'later', attempts: 2 },
  { name: 'another server is back', back: 'later', elsewhere: true, attempts: 1 },
  { name: 'its server came back while it was asked', back: 'meanwhile', attempts: 2 },
];

for (const { name, back, elsewhere = false, attempts: expected } of rows) {
  test(`what waits for a server: ${name}`, async () => {
    const { clock, collector, attempts, end } = waiting();
    const wake = () => collector.wake((apiVersion) => elsewhere && apiVersion === GROUP);
    collector.queue.add(virtualNode(node));
    await rest();
    assert.equal(attempts.length, 1);
    if (back === 'meanwhile') wake();
    attempts[0]?.();
    await rest();
    if (back === 'later') wake();
    await rest();
    assert.equal(attempts.length, expected);
    // Whoever was not woken looks by itself.
    await clock.advance(LOOK_AGAIN_MS);
    await rest();
    assert.equal(attempts.length, 2);
    await end();
  });
}

test('everybody who waits for a busy server has a turn without a pause', async () => {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const remote = { all: () => new Map([[GROUP, undefined]]), follow: () => () => {} };
  const health = groupHealth(remote, { clock, signal: stop.signal });
  const collector = collectorQueue('test', health, {
    clock,
    log: silentLog().log,
    signal: stop.signal,
  });
  const asked: string[] = [];
  let requests = 0;
  let atOnce = 0;
  let most = 0;
  const done = collector.run(async ({ identity: { name } }) => {
    // Some find that there is nothing to ask.
    if (name.endsWith('5')) {
      asked.push(name);
      return;
    }
    const leave = health.reserve([GROUP]);
    atOnce += 1;
    most = Math.max(most, atOnce);
    for (let count = 0; count < 3; count += 1) {
      await health.ask(GROUP, () => settle());
      requests += 1;
    }
    atOnce -= 1;
    asked.push(name);
    leave();
  });
  const names = Array.from({ length: 200 }, (_, index) => `n-${index}`);
  for (const name of names) collector.queue.add(virtualNode({ ...node, name, uid: name }));
  for (let turn = 0; turn < 5_000 && asked.length < names.length; turn += 1) await settle();
  // The clock stands still: whoever waited for a pause is missing.
  assert.deepEqual(asked.toSorted(), names.toSorted());
  assert.equal(most, 4);
  assert.equal(requests, 180 * 3, 'nobody who had begun had to begin again');
  stop.abort();
  await done;
});
