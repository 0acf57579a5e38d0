import assert from 'node:assert/strict';
import test from 'node:test';
import { BackendFailure, type FailureHop } from '@tributary/proxy';
import { MetricsRegistry } from '@tributary/server/operations';
import { VirtualClock } from '../../../../test/harness/index.ts';
import { apiServiceOf, handStore, startFixture, target } from '../../test/availability-fixture.ts';
import { remoteRegistration, remoteServer } from '../../test/service-objects.ts';

const registration = remoteRegistration();
const { name } = registration;
const URL_OF_PROBE = 'https://10.1.0.1:8443/apis/wardle.example.com/v1alpha1';

function failure(hop: FailureHop) {
  const failure = new BackendFailure('it failed', { hop, maybeProcessed: true });
  return { failure, target: undefined };
}
const success = { failure: undefined, target: undefined };

test('a registration is probed at once, and its condition written', async () => {
  await using fixture = await startFixture();
  const { availability, servers, store, advance } = fixture;
  await advance(300);
  const notified: string[] = [];
  availability.onChange((name) => notified.push(name));
  await fixture.register(registration);
  assert.equal(availability.refusal(name), undefined, 'it is tried until something was found out');
  await advance(100);
  assert.equal(availability.stateOf(name)?.reason, 'Passed');
  assert.equal(store.condition(name), 'Available=True/Passed');
  assert.deepEqual(notified, [name]);
  const { method, path, headers, use } = servers.probes[0]?.request ?? {};
  assert.deepEqual([method, path, use], ['GET', '/apis/wardle.example.com/v1alpha1', 'probe']);
  assert.deepEqual(headers?.slice(0, 2), [
    ['x-remote-user', 'system:kube-aggregator'],
    ['x-remote-group', 'system:masters'],
  ]);
  assert.match(fixture.log.join(), /changing APIService availability.*"newStatus":"True"/);
});

test('one that goes on well is probed every ten seconds', async () => {
  await using fixture = await startFixture();
  await fixture.register(registration);
  await fixture.advance(35_000);
  assert.ok(fixture.servers.probes.length >= 3 && fixture.servers.probes.length <= 5);
  assert.equal(fixture.store.writes.length, 1);
});

test('a request that is refused makes a probe, and both together a failure, at once', async () => {
  await using fixture = await startFixture();
  const { availability, servers, store, advance } = fixture;
  await fixture.register(registration);
  await advance(2_000);
  servers.behaviour.set(name, 'refused');
  availability.onEvidence(registration, failure('connect'));
  assert.equal(availability.refusal(name), undefined);
  await advance(50);
  assert.deepEqual(availability.refusal(name), {
    status: 'False',
    reason: 'FailedDiscoveryCheck',
    message: `failing or missing response from ${URL_OF_PROBE}: connection refused by 10.1.0.1:8443`,
    sinceMs: fixture.clock.nowMs() - 50,
    lastSuccessMs: availability.stateOf(name)?.lastSuccessMs,
  });
  assert.equal(store.condition(name), 'Available=False/FailedDiscoveryCheck');
  assert.ok(servers.idleDropped > 0);
});

test('a connection that ends makes a probe, and a death is seen although nobody asks', async () => {
  await using fixture = await startFixture();
  const { availability, servers, advance } = fixture;
  await fixture.register(registration);
  await advance(2_000);
  servers.behaviour.set(name, 'refused');
  await advance(1_000);
  assert.equal(availability.stateOf(name)?.status, 'True');
  availability.onConnectionLost(registration);
  await advance(500);
  assert.equal(availability.stateOf(name)?.status, 'False');
});

test('a request that failed by our own bound says nothing', async () => {
  await using fixture = await startFixture();
  await fixture.register(registration);
  await fixture.advance(2_000);
  const before = fixture.servers.probes.length;
  fixture.availability.onEvidence(registration, failure('busy'));
  await fixture.advance(500);
  assert.equal(fixture.servers.probes.length, before);
});

test('a thousand failed requests make a few probes', async () => {
  await using fixture = await startFixture();
  await fixture.register(registration);
  await fixture.advance(2_000);
  const before = fixture.servers.probes.length;
  for (let count = 0; count < 1_000; count += 1) {
    fixture.availability.onEvidence(registration, failure('reset'));
    if (count % 50 === 0) await fixture.advance(50);
  }
  const probes = fixture.servers.probes.length - before;
  assert.ok(probes >= 2 && probes <= 7, `${probes} probes in a second`);
  assert.equal(fixture.availability.refusal(name), undefined, 'the probes found nothing wrong');
});

test('silence is noticed within five seconds of the first request, and then nobody waits', async () => {
  await using fixture = await startFixture();
  const { availability, servers, clock, advance } = fixture;
  await fixture.register(registration);
  await advance(2_000);
  servers.behaviour.set(name, 'frozen');
  const askedMs = clock.nowMs();
  let before = servers.probes.length;
  while (availability.refusal(name) === undefined && clock.nowMs() - askedMs < 20_000) {
    await advance(50);
  }
  const noticedMs = clock.nowMs() - askedMs;
  assert.ok(noticedMs > 2_400 && noticedMs <= 5_000, `${noticedMs} ms`);
  assert.equal(servers.probes.length - before, 3);
  assert.equal(availability.refusal(name)?.message, `timed out waiting for ${URL_OF_PROBE}`);
  // It stays asked, and one at a time.
  before = servers.probes.length;
  await advance(10_000);
  const probes = servers.probes.length - before;
  assert.ok(probes >= 6 && probes <= 9, `${probes} probes in ten seconds`);
  assert.equal(servers.inFlightMost, 1);
});

test('requests that are answered take the place of probes for a while', async () => {
  await using fixture = await startFixture();
  const { availability, servers, advance } = fixture;
  await fixture.register(registration);
  await advance(1_000);
  const before = servers.probes.length;
  for (let count = 0; count < 60; count += 1) {
    assert.equal(availability.refusal(name), undefined);
    await advance(50);
    availability.onEvidence(registration, success);
  }
  assert.equal(servers.probes.length, before);
  assert.equal(availability.stateOf(name)?.lastSuccessMs, fixture.clock.nowMs());
});

test('a request that is answered soon makes no probe, one that waits does', async () => {
  await using fixture = await startFixture();
  const { availability, servers, advance } = fixture;
  await fixture.register(registration);
  await advance(5_000);
  const before = servers.probes.length;
  availability.refusal(name);
  await advance(200);
  availability.onEvidence(registration, success);
  await advance(1_000);
  assert.equal(servers.probes.length, before);
  availability.refusal(name);
  await advance(350);
  assert.equal(servers.probes.length, before + 1);
});

test('one request that waits is enough, also when another was answered just before', async () => {
  await using fixture = await startFixture();
  const { availability, servers, advance } = fixture;
  await fixture.register(registration);
  await advance(2_000);
  availability.refusal(name);
  await advance(50);
  availability.onEvidence(registration, success);
  await advance(50);
  servers.behaviour.set(name, 'frozen');
  availability.refusal(name);
  await advance(5_000);
  assert.equal(availability.stateOf(name)?.status, 'False');
});

test('one that is asked for is asked anew, whatever an old probe waits for', async () => {
  const all = Array.from({ length: 50 }, (_, at) =>
    remoteRegistration({ name: `v1.group-${at}`, uid: `uid-${at}`, group: `group-${at}` }),
  );
  await using fixture = await startFixture({ before: all });
  const { availability, servers, advance } = fixture;
  for (const { name } of all) servers.behaviour.set(name, 'frozen');
  await advance(30_000);
  const one = 'v1.group-7';
  servers.behaviour.set(one, 200);
  for (let count = 0; count < 30 && availability.refusal(one); count += 1) await advance(50);
  assert.equal(availability.refusal(one), undefined);
});

test('a request that is answered ends the doubt that silence made', async () => {
  await using fixture = await startFixture();
  const { availability, servers, advance } = fixture;
  await fixture.register(registration);
  await advance(1_000);
  servers.behaviour.set(name, 'frozen');
  availability.onEvidence(registration, failure('silent'));
  for (let count = 0; count < 100; count += 1) {
    await advance(100);
    availability.onEvidence(registration, success);
  }
  assert.equal(availability.refusal(name), undefined);
});

for (const behaviour of ['refused', 'reset', 403, 302, 304, 'wrong name'] as const) {
  test(`${behaviour}: unavailable at once, and back within a second`, async () => {
    await using fixture = await startFixture();
    const { availability, servers, clock, advance } = fixture;
    servers.behaviour.set(name, behaviour);
    await fixture.register(registration);
    await advance(300);
    assert.equal(availability.refusal(name)?.reason, 'FailedDiscoveryCheck');
    if (typeof behaviour === 'number') {
      assert.equal(
        availability.refusal(name)?.message,
        `failing or missing response from ${URL_OF_PROBE}: bad status from ${URL_OF_PROBE}: ${behaviour}`,
      );
    }
    const before = servers.probes.length;
    await advance(60_000);
    const probes = servers.probes.length - before;
    // More often for ten seconds, because a request was refused.
    assert.ok(probes >= 80 && probes <= 105, `${probes} probes in a minute`);
    servers.behaviour.set(name, 200);
    const backMs = clock.nowMs();
    while (availability.refusal(name) !== undefined) await advance(50);
    assert.ok(clock.nowMs() - backMs <= 1_000);
  });
}

test('of several targets one is enough, and all must fail', async () => {
  await using fixture = await startFixture();
  const { availability, servers, advance } = fixture;
  fixture.setTargets({ targets: [target(0), target(1), target(2)] });
  servers.behaviour.set(name, ['refused', 200, 'frozen']);
  await fixture.register(registration);
  await advance(60_000);
  assert.equal(availability.refusal(name), undefined);
  servers.behaviour.set(name, ['refused', 'frozen', 403]);
  availability.onEvidence(registration, failure('connect'));
  await advance(5_000);
  // The words of the one that said most, always the same.
  assert.match(availability.refusal(name)?.message ?? '', /10\.1\.0\.3:8443.*: 403$/);
});

test('nobody to ask is known at once, without a probe, and so is somebody', async () => {
  await using fixture = await startFixture();
  const { availability, servers, store, advance } = fixture;
  await fixture.register(registration);
  await advance(2_000);
  const before = servers.probes.length;
  const problem = { status: 'False', reason: 'ServiceNotFound', message: 'gone' } as const;
  fixture.setTargets({ problem });
  await advance(50);
  assert.equal(availability.refusal(name)?.message, 'gone');
  assert.equal(servers.probes.length, before);
  await advance(1_000);
  assert.equal(store.condition(name), 'Available=False/ServiceNotFound');
  fixture.setTargets({ targets: [target(0)] });
  await advance(50);
  assert.equal(availability.refusal(name), undefined);
});

test('another address is asked at once, whatever the old one keeps waiting for', async () => {
  await using fixture = await startFixture();
  const { availability, servers, advance } = fixture;
  servers.behaviour.set(name, 'frozen');
  await fixture.register(registration);
  await advance(6_000);
  assert.ok(availability.refusal(name));
  servers.behaviour.set(name, 200);
  fixture.setTargets({ targets: [target(1)] });
  await advance(50);
  assert.equal(availability.refusal(name), undefined);
});

test('what is written is believed until something else was found out', async () => {
  await using fixture = await startFixture();
  const conditions = [
    {
      type: 'Available',
      status: 'False',
      reason: 'Old',
      message: 'm',
      lastTransitionTime: '2024-01-01T00:00:00Z',
    },
    { type: 'Other', status: 'True', reason: 'Mine', lastTransitionTime: null },
  ];
  fixture.servers.behaviour.set(name, 'frozen');
  await fixture.register(registration, { conditions });
  assert.equal(fixture.availability.refusal(name)?.reason, 'Old');
  assert.equal(fixture.availability.refusal(name)?.sinceMs, Date.UTC(2024, 0, 1));
  await fixture.advance(1_000);
  assert.equal(fixture.availability.refusal(name)?.reason, 'Old');
  fixture.servers.behaviour.set(name, 200);
  await fixture.advance(2_000);
  assert.equal(fixture.availability.refusal(name), undefined);
  assert.equal(fixture.store.condition(name), 'Available=True/Passed Other=True/Mine');
});

test('an object of the same name with another uid inherits nothing', async () => {
  await using fixture = await startFixture();
  fixture.servers.behaviour.set(name, 'refused');
  await fixture.register(registration);
  await fixture.advance(1_000);
  assert.ok(fixture.availability.refusal(name));
  fixture.servers.behaviour.set(name, 'frozen');
  const again = remoteRegistration({ uid: 'uid-2' });
  await fixture.register(again);
  assert.equal(fixture.availability.stateOf(name), undefined);
  fixture.availability.onEvidence(registration, failure('connect'));
  await fixture.advance(50);
  assert.equal(
    fixture.availability.refusal(name),
    undefined,
    'what is heard of the old one is not of this',
  );
});

test('local registrations are available, also those that were remote', async () => {
  await using fixture = await startFixture();
  const { availability, store, servers, advance } = fixture;
  servers.behaviour.set(name, 'refused');
  await fixture.register(registration);
  await advance(1_500);
  assert.equal(store.condition(name), 'Available=False/FailedDiscoveryCheck');
  fixture.registrations.put({ ...registration, remote: undefined });
  await advance(1_500);
  assert.equal(availability.refusal(name), undefined);
  assert.equal(store.condition(name), 'Available=True/Local');
  const before = servers.probes.length;
  await advance(30_000);
  assert.equal(servers.probes.length, before);
  // And the other way: tried until found out, which is soon.
  fixture.registrations.put(registration);
  assert.equal(availability.refusal(name), undefined);
  await advance(50);
  assert.equal(availability.refusal(name)?.reason, 'FailedDiscoveryCheck');
});

test('other priorities are no reason to ask again, another caBundle is', async () => {
  await using fixture = await startFixture();
  await fixture.register(registration);
  await fixture.advance(1_000);
  const before = fixture.servers.probes.length;
  fixture.registrations.put({ ...registration, versionPriority: 1, remote: remoteServer() });
  await fixture.advance(100);
  assert.equal(fixture.servers.probes.length, before);
  fixture.registrations.put({ ...registration, remote: remoteServer({ caBundle: 'other' }) });
  await fixture.advance(100);
  assert.equal(fixture.servers.probes.length, before + 1);
});

test('what is removed is asked no more, and its figures go', async () => {
  await using fixture = await startFixture();
  const registry = new MetricsRegistry();
  fixture.availability.registerMetrics(registry);
  fixture.servers.behaviour.set(name, 'refused');
  await fixture.register(registration);
  await fixture.advance(1_000);
  assert.match(
    registry.text(),
    /^aggregator_unavailable_apiservice\{name="v1alpha1.wardle.example.com"\} 1$/m,
  );
  // An APIService that was never available has not become unavailable.
  assert.doesNotMatch(registry.text(), /_total\{/);
  fixture.servers.behaviour.set(name, 200);
  await fixture.advance(2_000);
  assert.match(registry.text(), /^aggregator_unavailable_apiservice\{.*\} 0$/m);
  fixture.servers.behaviour.set(name, 'refused');
  fixture.availability.onEvidence(registration, failure('connect'));
  await fixture.advance(2_000);
  assert.match(
    registry.text(),
    /^aggregator_unavailable_apiservice_total\{name="v1alpha1.wardle.example.com",reason="FailedDiscoveryCheck"\} 1$/m,
  );
  fixture.registrations.remove(name);
  await fixture.store.hand.remove(apiServiceOf(registration));
  const before = fixture.servers.probes.length;
  await fixture.advance(5_000);
  assert.equal(fixture.servers.probes.length, before);
  assert.doesNotMatch(registry.text(), /aggregator_unavailable_apiservice\{/);
  assert.equal(fixture.availability.stateOf(name), undefined);
});

test('a server that comes and goes is written four times a second at most', async () => {
  await using fixture = await startFixture();
  await fixture.register(registration);
  for (let count = 0; count < 50; count += 1) {
    fixture.servers.behaviour.set(name, count % 2 === 0 ? 'refused' : 200);
    fixture.availability.onEvidence(registration, failure('reset'));
    await fixture.advance(160);
  }
  const times = fixture.store.writes.map(({ atMs }) => atMs);
  assert.ok(times.length > 5);
  for (const [at, time] of times.entries()) {
    assert.ok(at === 0 || time - (times[at - 1] ?? 0) >= 250);
  }
});

test('two processes that see different things do not fight', async () => {
  const clock = new VirtualClock();
  const store = await handStore(clock);
  await using one = await startFixture({ clock, store, name: 'one' });
  await using two = await startFixture({ clock, store, name: 'two' });
  two.servers.behaviour.set(name, 'refused');
  await one.register(registration);
  two.registrations.put(registration);
  await one.advance(5_000);
  const before = store.writes.length;
  await one.advance(120_000);
  const inTwoMinutes = store.writes.length - before;
  assert.ok(inTwoMinutes >= 2 && inTwoMinutes <= 10, `${inTwoMinutes} writes in two minutes`);
  // Each of them serves by what it sees itself.
  assert.equal(one.availability.refusal(name), undefined);
  assert.ok(two.availability.refusal(name));
  await store.hand.informer.close();
});

test('what another process has found out is looked at before it is contradicted', async () => {
  const clock = new VirtualClock();
  const store = await handStore(clock);
  await using one = await startFixture({ clock, store, name: 'one' });
  await using two = await startFixture({ clock, store, name: 'two' });
  await one.register(registration);
  two.registrations.put(registration);
  await one.advance(3_000);
  one.servers.behaviour.set(name, 'refused');
  two.servers.behaviour.set(name, 'refused');
  const before = store.writes.length;
  one.availability.onEvidence(registration, failure('connect'));
  await one.advance(3_000);
  assert.deepEqual(
    store.writes.slice(before).map(({ status }) => status),
    ['False'],
  );
  assert.ok(two.availability.refusal(name), 'it looked before its turn');
  await store.hand.informer.close();
});

test('a start asks fifty servers that are frozen, and waits for none', async () => {
  const all = Array.from({ length: 50 }, (_, at) =>
    remoteRegistration({
      name: `v1.group-${at}`,
      uid: `uid-${at}`,
      group: `group-${at}`,
      version: 'v1',
    }),
  );
  await using fixture = await startFixture({ before: all });
  for (const { name } of all) fixture.servers.behaviour.set(name, 'frozen');
  for (const one of all) await fixture.store.hand.put(apiServiceOf(one));
  await fixture.advance(250);
  assert.equal(fixture.servers.probes.length, 50);
  await fixture.advance(4_000);
  assert.ok(all.every(({ name }) => fixture.availability.refusal(name) !== undefined));
  assert.equal(fixture.store.writes.length, 50);
  const before = fixture.servers.probes.length;
  await fixture.advance(10_000);
  const each = (fixture.servers.probes.length - before) / 50;
  assert.ok(each >= 1 && each <= 9, `${each} probes of each in ten seconds`);
});

test('of fifty that are dead, each is asked now and then, and one that is asked for soon', async () => {
  const all = Array.from({ length: 50 }, (_, at) =>
    remoteRegistration({ name: `v1.group-${at}`, uid: `uid-${at}`, group: `group-${at}` }),
  );
  await using fixture = await startFixture({ before: all });
  for (const { name } of all) fixture.servers.behaviour.set(name, 'refused');
  await fixture.advance(20_000);
  const before = fixture.servers.probes.length;
  await fixture.advance(10_000);
  const probes = fixture.servers.probes.length - before;
  assert.ok(probes >= 90 && probes <= 110, `${probes} probes in ten seconds`);
  const one = 'v1.group-7';
  assert.ok(fixture.availability.refusal(one));
  fixture.servers.behaviour.set(one, 200);
  await fixture.advance(900);
  assert.equal(fixture.availability.refusal(one), undefined);
});

test('closed, it leaves no timers, and its health check says so', async () => {
  const fixture = await startFixture();
  fixture.servers.behaviour.set(name, 'frozen');
  await fixture.register(registration);
  await fixture.advance(500);
  const checks = fixture.availability.healthChecks;
  assert.deepEqual(
    checks.map((check) => [check.name, check.check()]),
    [
      ['poststarthook/apiservice-status-local-available-controller', undefined],
      ['poststarthook/apiservice-status-remote-available-controller', undefined],
    ],
  );
  await fixture.availability.close();
  await fixture.availability.close();
  assert.equal(fixture.clock.pending, 0);
  assert.ok(checks.every((check) => check.check() !== undefined));
  await fixture.store.hand.informer.close();
});
