import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { alreadyExists, conflict, notFound } from '@tributary/apimachinery';
import { VirtualClock } from '../../../../test/harness/index.ts';
import type { ResourceClient } from '../resource/resource-client.ts';
import { electLeader, type LeaderElectionOptions } from './leader-election.ts';
import { type Lease, type LeaseSpec, microTime } from './lease.ts';

const RESOURCE = { group: 'coordination.k8s.io', resource: 'leases' };

/** One Lease at a server that checks versions. */
function leaseServer(spec?: LeaseSpec) {
  const state: {
    lease: Lease | undefined;
    failure: Error | undefined;
    calls: string[];
    /** Requests get no response. */
    hangs: boolean;
  } = { lease: undefined, failure: undefined, calls: [], hangs: false };
  let version = 0;
  const keep = (next: LeaseSpec): Lease => {
    version += 1;
    state.lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'x', namespace: 'ns', resourceVersion: String(version) },
      spec: next,
    };
    return state.lease;
  };
  if (spec !== undefined) keep(spec);
  const respond = async (call: string, signal: AbortSignal | undefined): Promise<void> => {
    state.calls.push(call);
    if (state.hangs) {
      await new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    }
    if (state.failure !== undefined) throw state.failure;
  };
  const leases = {
    get: async (name, options) => {
      await respond('get', options?.signal);
      if (state.lease === undefined) throw notFound(RESOURCE, name);
      return state.lease;
    },
    create: async (object, options) => {
      await respond('create', options?.signal);
      if (state.lease !== undefined) throw alreadyExists(RESOURCE, 'x');
      return keep(object.spec ?? {});
    },
    update: async (object, options) => {
      await respond('update', options?.signal);
      if (object.metadata.resourceVersion !== state.lease?.metadata.resourceVersion) {
        throw conflict(RESOURCE, 'x', 'it was changed');
      }
      return keep(object.spec ?? {});
    },
  } as Pick<ResourceClient<Lease>, 'get' | 'create' | 'update'> as ResourceClient<Lease>;
  return { state, leases, keep };
}

interface Run {
  readonly callbacks: string[];
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

function run(
  clock: VirtualClock,
  leases: ResourceClient<Lease>,
  more: Partial<LeaderElectionOptions> & { identity: string },
): Run {
  const callbacks: string[] = [];
  const stop = new AbortController();
  const ended = electLeader(
    {
      leases,
      name: 'x',
      clock,
      random: () => 0,
      onStartedLeading: (signal) => {
        callbacks.push('started');
        signal.addEventListener('abort', () => callbacks.push('signal'));
      },
      onStoppedLeading: () => callbacks.push('stopped'),
      onNewLeader: (identity) => callbacks.push(`leader ${identity}`),
      ...more,
    },
    stop.signal,
  );
  ended.catch(() => {}); // The test awaits it.
  return { callbacks, stop, ended };
}

async function runTurns(): Promise<void> {
  for (let turns = 0; turns < 10; turns += 1) await turn();
}

/** Second by second, so that timers in between run in between. */
async function pass(clock: VirtualClock, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    await runTurns();
    await clock.advance(1000);
  }
  await runTurns();
}

const held = (holderIdentity: string, more: LeaseSpec = {}): LeaseSpec => ({
  holderIdentity,
  leaseDurationSeconds: 15,
  acquireTime: '2020-01-01T00:00:00.000000Z',
  renewTime: '2020-01-01T00:00:00.000000Z',
  leaseTransitions: 4,
  ...more,
});

const firsts: {
  name: string;
  spec?: LeaseSpec;
  leads: boolean;
  calls: string[];
  transitions?: number;
}[] = [
  { name: 'there is none', leads: true, calls: ['get', 'create'], transitions: 0 },
  {
    name: 'another candidate holds it; its own times do not matter',
    spec: held('other'),
    leads: false,
    calls: ['get'],
  },
  {
    name: 'it was released',
    spec: held('', { leaseDurationSeconds: 1 }),
    leads: true,
    calls: ['get', 'update'],
    transitions: 5,
  },
  {
    name: 'it is ours, from an earlier life',
    spec: held('me'),
    leads: true,
    calls: ['get', 'update'],
    transitions: 4,
  },
  { name: 'it is empty', spec: {}, leads: true, calls: ['get', 'update'], transitions: 1 },
];
for (const { name, spec, leads, calls, transitions } of firsts) {
  test(`the first attempt, when ${name}`, async () => {
    const clock = new VirtualClock();
    const { state, leases } = leaseServer(spec);
    const { callbacks, stop, ended } = run(clock, leases, {
      identity: 'me',
      releaseOnCancel: false,
    });
    await runTurns();
    assert.deepEqual(state.calls, calls);
    assert.equal(callbacks.includes('started'), leads);
    if (leads) {
      const { acquireTime, ...rest } = state.lease?.spec ?? {};
      const now = microTime(clock.nowMs());
      assert.equal(acquireTime, spec?.holderIdentity === 'me' ? spec.acquireTime : now);
      assert.deepEqual(rest, {
        holderIdentity: 'me',
        leaseDurationSeconds: 15,
        renewTime: now,
        leaseTransitions: transitions,
      });
    }
    stop.abort();
    await ended;
    assert.equal(callbacks.at(-1), 'stopped');
  });
}

test('the expiry of a Lease is counted from the last observed change', async () => {
  const clock = new VirtualClock();
  const { state, leases, keep } = leaseServer(held('other'));
  const { callbacks, stop, ended } = run(clock, leases, { identity: 'me' });
  await pass(clock, 13);
  assert.deepEqual(callbacks, ['leader other']);
  // A renewal by a clock that stands still.
  keep({ ...state.lease?.spec, renewTime: '2020-01-01T00:00:01.000000Z' });
  await pass(clock, 15);
  assert.deepEqual(callbacks, ['leader other']);
  await pass(clock, 4);
  assert.deepEqual(callbacks, ['leader other', 'leader me', 'started']);
  assert.equal(state.lease?.spec?.leaseTransitions, 5);
  stop.abort();
  await ended;
});

test('a leader renews every two seconds, without reading', async () => {
  const clock = new VirtualClock();
  const { state, leases } = leaseServer();
  const { stop, ended } = run(clock, leases, { identity: 'me' });
  await pass(clock, 10);
  assert.deepEqual(state.calls, ['get', 'create', ...Array(5).fill('update')]);
  assert.equal(state.lease?.spec?.renewTime, microTime(clock.nowMs()));
  stop.abort();
  await ended;
});

test('a candidate retries every two seconds plus jitter of up to 1.2 times that', async () => {
  for (const [random, tries] of [
    [0, 8],
    [0.999, 4],
  ] as const) {
    const clock = new VirtualClock();
    const { state, leases } = leaseServer(held('other'));
    const { stop, ended } = run(clock, leases, { identity: 'me', random: () => random });
    await pass(clock, 14);
    assert.equal(state.calls.length, tries);
    stop.abort();
    await ended;
  }
});

for (const how of ['fail', 'hang'] as const) {
  test(`a leader whose renewals ${how} stops after ten seconds, before another candidate may take over`, async () => {
    const clock = new VirtualClock();
    const { state, leases } = leaseServer();
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    const { callbacks, ended } = run(clock, leases, { identity: 'me', onError });
    await runTurns();
    if (how === 'hang') state.hangs = true;
    else state.failure = new Error('the server is away');
    await pass(clock, 11);
    assert.deepEqual(callbacks, ['leader me', 'started']);
    await pass(clock, 1);
    assert.deepEqual(callbacks.slice(0, 3), ['leader me', 'started', 'signal']);
    state.hangs = false;
    state.failure = undefined;
    await pass(clock, 10);
    await ended;
    assert.equal(callbacks.at(-1), 'stopped');
    assert.ok(errors.length > 0);
  });
}

test('a renewal without a response leaves time for another one', async () => {
  const clock = new VirtualClock();
  const { state, leases } = leaseServer();
  const { callbacks, stop, ended } = run(clock, leases, { identity: 'me' });
  await runTurns();
  state.hangs = true;
  await pass(clock, 3);
  state.hangs = false; // for later requests: the one under way is lost
  const calls = state.calls.length;
  await pass(clock, 12);
  assert.ok(state.calls.length > calls, 'it tried again');
  assert.deepEqual(callbacks, ['leader me', 'started']);
  stop.abort();
  await ended;
});

test('a leader whose renewals fail for a while stays the leader', async () => {
  const clock = new VirtualClock();
  const { state, leases } = leaseServer();
  const { callbacks, stop, ended } = run(clock, leases, { identity: 'me' });
  await pass(clock, 3);
  state.failure = new Error('the server is away');
  await pass(clock, 8);
  state.failure = undefined;
  await pass(clock, 10);
  assert.deepEqual(callbacks, ['leader me', 'started']);
  assert.equal(state.lease?.spec?.leaseTransitions, 0);
  stop.abort();
  await ended;
});

test('a leader stops when another candidate has taken its Lease', async () => {
  const clock = new VirtualClock();
  const { leases, keep } = leaseServer();
  const { callbacks, ended } = run(clock, leases, { identity: 'me' });
  await pass(clock, 1);
  keep(held('other'));
  await pass(clock, 13);
  await ended;
  assert.deepEqual(callbacks, ['leader me', 'started', 'leader other', 'signal', 'stopped']);
});

test('the Lease is released after the work has ended', async () => {
  const clock = new VirtualClock();
  const { state, leases } = leaseServer();
  const finish = Promise.withResolvers<void>();
  const { stop, ended, callbacks } = run(clock, leases, {
    identity: 'me',
    onStartedLeading: () => finish.promise,
  });
  await pass(clock, 1);
  stop.abort();
  await runTurns();
  assert.equal(state.lease?.spec?.holderIdentity, 'me');
  assert.ok(!callbacks.includes('stopped'));
  finish.resolve();
  await ended;
  assert.deepEqual(state.lease?.spec, {
    holderIdentity: '',
    leaseDurationSeconds: 1,
    acquireTime: microTime(clock.nowMs()),
    renewTime: microTime(clock.nowMs()),
    leaseTransitions: 0,
  });
});

test('a Lease with another holder is not released', async () => {
  const clock = new VirtualClock();
  const { state, leases, keep } = leaseServer();
  const { stop, ended } = run(clock, leases, { identity: 'me' });
  await pass(clock, 1);
  keep(held('other'));
  stop.abort();
  await ended;
  assert.equal(state.lease?.spec?.holderIdentity, 'other');
});

test('work that fails ends the leadership and rejects electLeader', async () => {
  const clock = new VirtualClock();
  const { state, leases } = leaseServer();
  const { ended, callbacks } = run(clock, leases, {
    identity: 'me',
    onStartedLeading: () => Promise.reject(new Error('broken')),
  });
  await assert.rejects(ended, { message: 'broken' });
  assert.equal(state.lease?.spec?.holderIdentity, '');
  assert.equal(callbacks.at(-1), 'stopped');
});

test('work that rejects with the reason of its signal is no failure', async () => {
  const clock = new VirtualClock();
  const { leases } = leaseServer();
  const { ended, stop } = run(clock, leases, {
    identity: 'me',
    onStartedLeading: (signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  });
  await runTurns();
  stop.abort(new Error('enough'));
  await ended;
});

test('one of several candidates leads at a time, and another one after it stops', async () => {
  const clock = new VirtualClock();
  const { leases } = leaseServer();
  const leading = new Set<string>();
  let most = 0;
  let leaders = 0;
  const runs = new Map<string, Run>();
  for (const [index, identity] of ['a', 'b', 'c'].entries()) {
    const candidate = run(clock, leases, {
      identity,
      random: () => (index * 0.37) % 1,
      onStartedLeading: (signal) => {
        leading.add(identity);
        leaders += 1;
        most = Math.max(most, leading.size);
        signal.addEventListener('abort', () => leading.delete(identity));
      },
    });
    runs.set(identity, candidate);
  }
  for (let left = runs.size; left > 0; left -= 1) {
    await pass(clock, 30);
    const [leader = ''] = leading;
    runs.get(leader)?.stop.abort();
  }
  await Promise.all([...runs.values()].map(({ ended }) => ended));
  assert.deepEqual([most, leaders], [1, 3]);
});

const wrong: { name: string; options: Partial<LeaderElectionOptions>; says: RegExp }[] = [
  { name: 'no identity', options: { identity: '' }, says: /needs an identity/ },
  { name: 'a short Lease', options: { leaseDurationMs: 999 }, says: /at least a second/ },
  {
    name: 'a deadline that is no shorter than the Lease',
    options: { renewDeadlineMs: 15_000 },
    says: /leaseDurationMs must be greater than renewDeadlineMs/,
  },
  {
    name: 'a deadline within the jitter',
    options: { renewDeadlineMs: 2_400 },
    says: /greater than retryPeriodMs \* 1.2/,
  },
  { name: 'no pause', options: { retryPeriodMs: 0 }, says: /retryPeriodMs must be greater/ },
];
for (const { name, options, says } of wrong) {
  test(`${name} is refused`, async () => {
    const { leases } = leaseServer();
    await assert.rejects(
      run(new VirtualClock(), leases, { identity: 'me', ...options }).ended,
      says,
    );
  });
}
