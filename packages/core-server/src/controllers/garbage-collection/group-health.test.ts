import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../../../test/harness/index.ts';
import { GroupBusy, GroupUnavailable } from './errors.ts';
import { GroupHealth } from './group-health.ts';

const REMOTE = 'wardle.example.com/v1';

function dependencies() {
  const clock = new VirtualClock();
  const listeners = new Set<() => void>();
  const problems = new Map<string, string | undefined>([[REMOTE, undefined]]);
  const remote = {
    all: () => new Map(problems),
    follow: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const stop = new AbortController();
  const health = new GroupHealth(remote, { clock, signal: stop.signal });
  const become = (problem: string | undefined) => {
    problems.set(REMOTE, problem);
    for (const listener of listeners) listener();
  };
  return { clock, health, become, stop, listeners };
}

/** Never resolves, and rejects when its signal fires. */
const silent = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

test('an unavailable server gets no requests', async () => {
  const { health, become } = dependencies();
  become('FailedDiscoveryCheck: refused');
  let count = 0;
  const attempt = health.request(REMOTE, async () => {
    count += 1;
  });
  await assert.rejects(attempt, GroupUnavailable);
  assert.equal(count, 0);
  become(undefined);
  await health.request(REMOTE, async () => {
    count += 1;
  });
  assert.equal(count, 1);
});

test('pending requests fail when their server becomes unavailable', async () => {
  const { health, become } = dependencies();
  const attempt = health.request(REMOTE, silent);
  become('FailedDiscoveryCheck: timed out');
  await assert.rejects(attempt, /wardle.example.com\/v1 is unavailable: FailedDiscoveryCheck/);
});

test('a request times out after ten seconds', async () => {
  const { clock, health } = dependencies();
  const attempt = assert.rejects(health.request(REMOTE, silent), /no response within 10 s/);
  await clock.advance(10_000);
  await attempt;
});

test('at most sixteen concurrent requests go to a remote server, local ones are unlimited', async () => {
  const { health, stop } = dependencies();
  const all = Array.from({ length: 16 }, () => health.request(REMOTE, silent));
  await assert.rejects(health.request(REMOTE, silent), GroupBusy);
  const here = Array.from({ length: 30 }, () => health.request('v1', async () => 'ok'));
  assert.equal((await Promise.all(here)).length, 30);
  stop.abort(new Error('stopped'));
  for (const one of all) await assert.rejects(one, /stopped/);
});

test('at most four seats exist for a remote server, local ones are unlimited', () => {
  const { health, become } = dependencies();
  let released = 0;
  health.onRelease(() => {
    released += 1;
  });
  const [first, ...others] = Array.from({ length: 4 }, () =>
    health.reserve([REMOTE, 'v1', REMOTE]),
  );
  assert.equal(health.isBusy(REMOTE), true);
  assert.throws(() => health.reserve(['v1', REMOTE]), GroupBusy);
  for (let count = 0; count < 30; count += 1) health.reserve(['v1']);
  first?.();
  assert.deepEqual([released, health.isBusy(REMOTE)], [1, false]);
  become('FailedDiscoveryCheck: refused');
  assert.throws(() => health.reserve(['v1', REMOTE]), GroupUnavailable);
  become(undefined);
  for (const leave of others) leave();
  for (let count = 0; count < 4; count += 1) health.reserve([REMOTE]);
  assert.throws(() => health.reserve([REMOTE]), GroupBusy);
});

test('listeners are removed when the signal fires', () => {
  const { stop, listeners } = dependencies();
  stop.abort();
  assert.equal(listeners.size, 0);
});
