import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextMacrotask } from 'node:timers/promises';
import { VirtualClock } from '../../../../../test/harness/index.ts';
import { silentLog } from '../../../../server/test/log-fixture.ts';
import { collectorQueue } from './collector-queue.ts';
import { GroupUnavailable } from './errors.ts';
import { virtualNode } from './graph-node.ts';
import { GroupHealth } from './group-health.ts';

const GROUP = 'remote.example.com/v1';
const RETRY_MS = 30_000;
const node = { apiVersion: GROUP, kind: 'Thing', namespace: 'default', name: 'a', uid: 'a' };

async function rest(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await nextMacrotask();
}

/** One node whose server is always unavailable; the test ends each attempt. */
function waiting() {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const health = new GroupHealth(undefined, { clock, signal: stop.signal });
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
    throw new GroupUnavailable(GROUP, 'it is unavailable');
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
  /** Whether the server recovers during the attempt, after it, or never. */
  readonly back: 'meanwhile' | 'later' | 'never';
  readonly elsewhere?: true;
  readonly attempts: number;
}

const rows: readonly Row[] = [
  { name: 'it stays unavailable', back: 'never', attempts: 1 },
  { name: 'it recovers', back: 'later', attempts: 2 },
  { name: 'another server recovers', back: 'later', elsewhere: true, attempts: 1 },
  { name: 'it recovers during the attempt', back: 'meanwhile', attempts: 2 },
];

for (const { name, back, elsewhere = false, attempts: expected } of rows) {
  test(`a node parked for an unavailable server: ${name}`, async () => {
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
    // Without a wake-up the node is retried after a pause.
    await clock.advance(RETRY_MS);
    await rest();
    assert.equal(attempts.length, 2);
    await end();
  });
}

test('all nodes that wait for a busy server are processed without a pause', async () => {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const remote = { all: () => new Map([[GROUP, undefined]]), follow: () => () => {} };
  const health = new GroupHealth(remote, { clock, signal: stop.signal });
  const collector = collectorQueue('test', health, {
    clock,
    log: silentLog().log,
    signal: stop.signal,
  });
  const processed: string[] = [];
  let requests = 0;
  let atOnce = 0;
  let most = 0;
  const done = collector.run(async ({ identity: { name } }) => {
    // Some nodes need no request.
    if (name.endsWith('5')) {
      processed.push(name);
      return;
    }
    const leave = health.reserve([GROUP]);
    atOnce += 1;
    most = Math.max(most, atOnce);
    for (let count = 0; count < 3; count += 1) {
      await health.request(GROUP, () => nextMacrotask());
      requests += 1;
    }
    atOnce -= 1;
    processed.push(name);
    leave();
  });
  const names = Array.from({ length: 200 }, (_, index) => `n-${index}`);
  for (const name of names) collector.queue.add(virtualNode({ ...node, name, uid: name }));
  for (let turn = 0; turn < 5_000 && processed.length < names.length; turn += 1)
    await nextMacrotask();
  // The clock does not advance: nodes that waited for a pause are missing.
  assert.deepEqual(processed.toSorted(), names.toSorted());
  assert.equal(most, 4);
  assert.equal(requests, 180 * 3, 'no attempt is repeated');
  stop.abort();
  await done;
});
