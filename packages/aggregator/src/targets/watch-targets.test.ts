import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Service } from '@tributary/api/core-v1';
import type { EndpointSlice } from '@tributary/api/discovery-v1';
import { endpointSlices, services } from '@tributary/client/controller';
import { cpuMs } from '../../../../test/harness/index.ts';
import { handInformer } from '../../test/manual-informer.ts';
import { remoteServer, service, slice } from '../../test/service-objects.ts';
import { type TargetsOptions, watchTargets } from './watch-targets.ts';

async function start(
  t: test.TestContext,
  { isStarted = true, ...more }: Partial<TargetsOptions> & { isStarted?: boolean } = {},
) {
  const hands = {
    services: handInformer<Service>(services),
    slices: handInformer<EndpointSlice>(endpointSlices),
  };
  if (isStarted) await Promise.all([hands.services.start(), hands.slices.start()]);
  const targets = watchTargets({
    services: hands.services.informer,
    endpointSlices: hands.slices.informer,
    routing: 'endpoints',
    allowLoopback: false,
    ...more,
  });
  const notified: (string | undefined)[] = [];
  targets.onChange((name) => notified.push(name));
  for (let turns = 0; turns < 3; turns += 1) await turn();
  t.after(async () => {
    targets.close();
    await Promise.all([hands.services.informer.close(), hands.slices.informer.close()]);
  });
  return { ...hands, targets, notified };
}

function summary(found: ReturnType<ReturnType<typeof watchTargets>['find']>): string {
  if ('problem' in found) return found.problem.reason;
  return found.targets.map(({ host, port }) => `${host}:${port}`).join(' ');
}

test('what is found changes with the service and its slices, and is told', async (t) => {
  const { targets, services, slices, notified } = await start(t);
  const remote = remoteServer();
  assert.equal(summary(targets.find(remote)), 'ServiceNotFound');
  notified.length = 0; // that everything was read
  await services.put(service());
  assert.deepEqual(notified, ['wardle/api']);
  assert.equal(summary(targets.find(remote)), 'EndpointsNotFound');
  await slices.put(slice());
  assert.equal(summary(targets.find(remote)), '10.1.0.1:8443');
  await slices.put(slice({ endpoints: ['10.1.0.9'] }));
  assert.equal(summary(targets.find(remote)), '10.1.0.9:8443');
  await slices.remove(slice());
  assert.equal(summary(targets.find(remote)), 'EndpointsNotFound');
  await services.remove(service());
  assert.equal(summary(targets.find(remote)), 'ServiceNotFound');
  assert.deepEqual(notified, Array(5).fill('wardle/api'));
});

test('a slice that is given to another service leaves the first', async (t) => {
  const { targets, services, slices } = await start(t);
  const other = { ...service(), metadata: { ...service().metadata, name: 'other' } };
  await services.put(service());
  await services.put(other);
  await slices.put(slice());
  const remote = remoteServer();
  const toOther = remoteServer({ service: { ...remote.service, name: 'other' } });
  assert.equal(summary(targets.find(remote)), '10.1.0.1:8443');
  assert.equal(summary(targets.find(toOther)), 'EndpointsNotFound');
  const moved = slice();
  moved.metadata.labels = { 'kubernetes.io/service-name': 'other' };
  await slices.put(moved);
  assert.equal(summary(targets.find(remote)), 'EndpointsNotFound');
  assert.equal(summary(targets.find(toOther)), '10.1.0.1:8443');
});

test('the same answer for every request until something changes', async (t) => {
  const { targets, services, slices } = await start(t);
  await services.put(service());
  await slices.put(slice());
  const remote = remoteServer();
  const first = targets.find(remote);
  assert.equal(targets.find(remote), first);
  // A service without readers has no changes.
  await slices.put({ ...slice({ name: 'x' }), metadata: { namespace: 'wardle', name: 'x' } });
  assert.equal(targets.find(remote), first);
  const ownMs = cpuMs(() => {
    for (let count = 0; count < 100_000; count += 1) targets.find(remote);
  });
  t.diagnostic(`${ownMs} ms`);
  assert.ok(ownMs < 500, `${ownMs} ms for 100,000`);
});

test('before the local copies are complete it is not known, and told when it is', async (t) => {
  const { targets, services, slices, notified } = await start(t, { isStarted: false });
  await services.put(service());
  await slices.put(slice());
  const remote = remoteServer();
  assert.deepEqual(targets.find(remote), {
    problem: {
      status: 'Unknown',
      reason: 'ServiceAccessError',
      message: 'service/api in "wardle" cannot be checked due to: services were not read yet',
    },
  });
  await services.start();
  assert.deepEqual(targets.find(remote), {
    problem: {
      status: 'Unknown',
      reason: 'EndpointsAccessError',
      message: 'service/api in "wardle" cannot be checked due to: endpointslices were not read yet',
    },
  });
  await slices.start();
  assert.ok(notified.includes(undefined));
  assert.equal(summary(targets.find(remote)), '10.1.0.1:8443');
});

const urls = [
  {
    url: 'https://localhost:8443',
    want: { host: 'localhost', port: 8443, serverName: 'localhost' },
  },
  {
    url: 'https://api.example.com',
    want: { host: 'api.example.com', port: 443, serverName: 'api.example.com' },
  },
  { url: 'https://[::1]:6443', want: { host: '::1', port: 6443, serverName: '::1' } },
];
for (const { url, want } of urls) {
  test(`${url} is dialled and is the TLS name, without a service`, async (t) => {
    const { targets } = await start(t, { isStarted: false });
    const remote = remoteServer({ url: new URL(url) });
    assert.deepEqual(targets.find(remote), { targets: [want] });
    assert.equal(targets.find(remote), targets.find(remote));
  });
}

test('default/kubernetes is this process, each time where it is then', async (t) => {
  let port = 6443;
  const { targets } = await start(t, { selfAddress: () => ({ host: '127.0.0.1', port }) });
  const remote = remoteServer({ service: { namespace: 'default', name: 'kubernetes', port: 443 } });
  const want = { host: '127.0.0.1', serverName: 'kubernetes.default.svc' };
  assert.deepEqual(targets.find(remote), { targets: [{ ...want, port: 6443 }] });
  port = 7443;
  assert.deepEqual(targets.find(remote), { targets: [{ ...want, port: 7443 }] });
  const other = remoteServer({ service: { namespace: 'default', name: 'kubernetes', port: 80 } });
  assert.equal(summary(targets.find(other)), 'ServiceNotFound');
});
