import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../../../test/harness/index.ts';
import { GroupAway, GroupBusy } from './errors.ts';
import { groupHealth } from './group-health.ts';

const REMOTE = 'wardle.example.com/v1';

function dependencies() {
  const clock = new VirtualClock();
  const listeners = new Set<() => void>();
  const problems = new Map<string, string | undefined>([[REMOTE, undefined]]);
  const remote = {
    all: () => new Map(problems),
    follow: (hear: () => void) => {
      listeners.add(hear);
      return () => void listeners.delete(hear);
    },
  };
  const stop = new AbortController();
  const health = groupHealth(remote, { clock, signal: stop.signal });
  const become = (why: string | undefined) => {
    problems.set(REMOTE, why);
    for (const hear of listeners) hear();
  };
  return { clock, health, become, stop, listeners };
}

/** Never answers, and ends with its signal. */
const silent = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

test('a server that is known to be away is not asked', async () => {
  const { health, become } = dependencies();
  become('FailedDiscoveryCheck: refused');
  let asked = 0;
  const attempt = health.ask(REMOTE, async () => {
    asked += 1;
  });
  await assert.rejects(attempt, GroupAway);
  assert.equal(asked, 0);
  become(undefined);
  await health.ask(REMOTE, async () => {
    asked += 1;
  });
  assert.equal(asked, 1);
});

test('who waits for a server is told when it is found to be away', async () => {
  const { health, become } = dependencies();
  const attempt = health.ask(REMOTE, silent);
  become('FailedDiscoveryCheck: timed out');
  await assert.rejects(attempt, /wardle.example.com\/v1 cannot be asked: FailedDiscoveryCheck/);
});

test('nobody waits for longer than ten seconds', async () => {
  const { clock, health } = dependencies();
  const attempt = assert.rejects(health.ask(REMOTE, silent), /no answer within 10 s/);
  await clock.advance(10_000);
  await attempt;
});

test('sixteen requests at a time wait for one server, and any number for this one', async () => {
  const { health, stop } = dependencies();
  const all = Array.from({ length: 16 }, () => health.ask(REMOTE, silent));
  await assert.rejects(health.ask(REMOTE, silent), GroupBusy);
  const here = Array.from({ length: 30 }, () => health.ask('v1', async () => 'answered'));
  assert.equal((await Promise.all(here)).length, 30);
  stop.abort(new Error('enough'));
  for (const one of all) await assert.rejects(one, /enough/);
});

test('four at a time work with one server, and any number with this one', () => {
  const { health, become } = dependencies();
  let told = 0;
  health.followSeats(() => {
    told += 1;
  });
  const [first, ...others] = Array.from({ length: 4 }, () =>
    health.reserve([REMOTE, 'v1', REMOTE]),
  );
  assert.equal(health.isBusy(REMOTE), true);
  assert.throws(() => health.reserve(['v1', REMOTE]), GroupBusy);
  for (let count = 0; count < 30; count += 1) health.reserve(['v1']);
  first?.();
  assert.deepEqual([told, health.isBusy(REMOTE)], [1, false]);
  become('FailedDiscoveryCheck: refused');
  assert.throws(() => health.reserve(['v1', REMOTE]), GroupAway);
  become(undefined);
  for (const leave of others) leave();
  for (let count = 0; count < 4; count += 1) health.reserve([REMOTE]);
  assert.throws(() => health.reserve([REMOTE]), GroupBusy);
});

test('nobody is listened to after the end', () => {
  const { stop, listeners } = dependencies();
  stop.abort();
  assert.equal(listeners.size, 0);
});
