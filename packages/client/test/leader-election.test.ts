/** Two candidates at a real server. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { defineApi, defineResource, version } from '@tributary/server/definition';
import { startTestServer } from '@tributary/server/testing';
import Type from 'typebox';
import { eventually, turns, VirtualClock } from '../../../test/harness/index.ts';
import {
  createClient,
  electLeader,
  LEASES,
  type Lease,
  parseKubeconfig,
  type ResourceClient,
} from '../src/index.ts';

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

const LEASE_DURATION_MS = 1_000;
const RETRY_PERIOD_MS = 50;

async function site(t: TestContext) {
  const clock = new VirtualClock();
  let underWay = 0;
  /** Counts requests, so that the time passes only while none is under way. */
  const counted = (leases: ResourceClient<Lease>): ResourceClient<Lease> =>
    new Proxy(leases, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return async (...parameters: unknown[]) => {
          underWay += 1;
          try {
            return await Reflect.apply(value, target, parameters);
          } finally {
            underWay -= 1;
          }
        };
      },
    });
  /** Advances the time in steps, each after all requests of the one before have ended. */
  const pass = async (ms: number, isEnough = () => false): Promise<void> => {
    for (let passed = 0; passed < ms && !isEnough(); passed += RETRY_PERIOD_MS) {
      await turns();
      await eventually('requests have ended', () => underWay === 0);
      await turns();
      await clock.advance(RETRY_PERIOD_MS);
    }
    await eventually('requests have ended', () => underWay === 0);
    await turns();
  };
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
        leases: counted(client.resource<Lease>(LEASES).in('kube-system')),
        name: 'controllers',
        identity,
        leaseDurationMs: LEASE_DURATION_MS,
        renewDeadlineMs: 700,
        retryPeriodMs: RETRY_PERIOD_MS,
        clock,
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
  return { candidate, leading, most: () => most, lease: () => leases.get('controllers'), pass };
}

test('one of two candidates leads; when it stops, the other leads at once', async (t) => {
  const { candidate, leading, most, lease, pass } = await site(t);
  const first = candidate('first');
  await eventually('the first leads', () => leading.includes('first'));
  candidate('second');
  await pass(1.5 * LEASE_DURATION_MS);
  assert.deepEqual(leading, ['first'], 'it renews the Lease');
  const before = await lease();
  first.stop.abort();
  await first.ended;
  // Well before the Lease would have expired.
  await pass(LEASE_DURATION_MS / 2, () => leading.includes('second'));
  assert.deepEqual(leading, ['second']);
  assert.equal(most(), 1);
  const { spec } = await lease();
  assert.equal(spec.holderIdentity, 'second');
  assert.equal(spec.leaseTransitions, before.spec.leaseTransitions + 1);
  assert.match(spec.renewTime, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
});

test('a leader without a connection stops, and the other takes over after it', async (t) => {
  const { candidate, leading, most, pass } = await site(t);
  const first = candidate('first');
  await eventually('the first leads', () => leading.includes('first'));
  candidate('second');
  await first.client.close();
  await pass(3 * LEASE_DURATION_MS, () => leading.includes('second'));
  assert.deepEqual(leading, ['second']);
  assert.equal(most(), 1);
  await first.ended;
});
