/** Two candidates at a real server. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { defineApi, defineResource, version } from '@tributary/server';
import { startTestServer } from '@tributary/server/testing';
import Type from 'typebox';
import { createClient, electLeader, LEASES, type Lease, parseKubeconfig } from '../src/index.ts';
import { waitUntil } from './informer-model.ts';

const LeaseKind = defineResource({
  kind: 'Lease',
  plural: 'leases',
  scope: 'Namespaced',
  versions: {
    v1: version({
      spec: Type.Object({
        holderIdentity: Type.String(),
        leaseDurationSeconds: Type.Integer(),
        acquireTime: Type.String(),
        renewTime: Type.String(),
        leaseTransitions: Type.Integer(),
      }),
    }),
  },
});
const coordination = defineApi({
  group: 'coordination.k8s.io',
  builtIn: true,
  resources: [LeaseKind],
});

async function site(t: TestContext) {
  const server = await startTestServer(coordination);
  const { kubeconfig } = await server.listen();
  const config = await parseKubeconfig(kubeconfig, { file: 'kubeconfig' });
  t.after(() => server.close());
  const leading: string[] = [];
  let most = 0;
  const candidate = (identity: string) => {
    const client = createClient(config);
    const stop = new AbortController();
    const ended = electLeader(
      {
        leases: client.resource<Lease>(LEASES).in('kube-system'),
        name: 'controllers',
        identity,
        leaseDurationMs: 1_000,
        renewDeadlineMs: 700,
        retryPeriodMs: 50,
        onStartedLeading: (signal) => {
          leading.push(identity);
          most = Math.max(most, leading.length);
          signal.addEventListener('abort', () => leading.splice(leading.indexOf(identity), 1));
        },
      },
      stop.signal,
    );
    t.after(async () => {
      stop.abort();
      await ended;
      await client.close();
    });
    return { stop, ended, client };
  };
  const leases = server.client(LeaseKind).inNamespace('kube-system');
  return { server, candidate, leading, most: () => most, lease: () => leases.get('controllers') };
}

test('one of two leads; when it leaves, the other does at once', async (t) => {
  const { candidate, leading, most, lease } = await site(t);
  const first = candidate('first');
  await waitUntil(
    () => leading.includes('first'),
    () => 'nobody leads',
  );
  candidate('second');
  await delay(300);
  assert.deepEqual(leading, ['first']);
  const before = await lease();
  first.stop.abort();
  await first.ended;
  await waitUntil(
    () => leading.includes('second'),
    () => 'nobody follows',
    700,
  );
  assert.equal(most(), 1);
  const { spec } = await lease();
  assert.equal(spec.holderIdentity, 'second');
  assert.equal(spec.leaseTransitions, before.spec.leaseTransitions + 1);
  assert.match(spec.renewTime, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
});

test('a leader that is cut off gives up, and the other takes over after it', async (t) => {
  const { candidate, leading, most } = await site(t);
  const first = candidate('first');
  await waitUntil(
    () => leading.includes('first'),
    () => 'nobody leads',
  );
  candidate('second');
  await first.client.close();
  await waitUntil(
    () => leading.includes('second'),
    () => `${leading} leads`,
  );
  assert.equal(most(), 1);
  await first.ended;
});
