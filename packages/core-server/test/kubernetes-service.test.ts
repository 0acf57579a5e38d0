/** The Service `kubernetes`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient, parseKubeconfig } from '@tributary/client';
import { defineApi } from '@tributary/server/definition';
import { startTestServer } from '@tributary/server/testing';
import { type Clock, manualClock } from '@tributary/storage';
import { addressPool } from '../src/addresses/address-pool.ts';
import { runKubernetesService } from '../src/controllers/kubernetes-service.ts';
import { endpointsKind } from '../src/kinds/core/endpoints/kind.ts';
import { namespaceKind } from '../src/kinds/core/namespace/kind.ts';
import { serviceKind } from '../src/kinds/core/service/kind.ts';
import { endpointSliceKind } from '../src/kinds/discovery/endpoint-slice/kind.ts';
import { collectingLog, eventually } from './core-fixture.ts';

const Service = serviceKind({ addresses: addressPool({ range: '10.0.0.0/24' }) });
const core = defineApi({
  group: '',
  builtIn: true,
  resources: [namespaceKind, Service, endpointsKind()],
});
const discovery = defineApi({
  group: 'discovery.k8s.io',
  builtIn: true,
  resources: [endpointSliceKind()],
});
const path = '/api/v1/namespaces/default';

test('a deleted Service kubernetes and its Endpoints are created again within ten seconds', async () => {
  await using server = await startTestServer([core, discovery]);
  const { kubeconfig } = await server.listen();
  const client = createClient(await parseKubeconfig(kubeconfig, { file: 'kubeconfig' }));
  const time = manualClock();
  const delays: number[] = [];
  const clock: Clock = {
    ...time,
    schedule: (delayMs, run) => {
      delays.push(delayMs);
      return time.schedule(delayMs, run);
    },
  };
  const stop = new AbortController();
  const problems: string[] = [];
  const running = runKubernetesService(
    { serviceIp: '10.0.0.1', address: '192.0.2.1', port: 6443 },
    { client, clock, log: collectingLog(problems), signal: stop.signal },
  );
  const statuses = async () => {
    const names = ['services/kubernetes', 'endpoints/kubernetes'];
    const responses = names.map((name) => server.request('GET', `${path}/${name}`));
    return (await Promise.all(responses)).map(({ status }) => status);
  };
  const areThere = (found: number[]) => found.every((status) => status === 200);

  // The next check is scheduled after all objects exist.
  const planned = await eventually(
    async () => delays.at(-1) ?? 0,
    (delayMs) => delayMs > 0,
  );
  assert.equal(planned, 10_000);
  assert.deepEqual(await statuses(), [200, 200]);
  await server.request('DELETE', `${path}/services/kubernetes`);
  assert.deepEqual(await statuses(), [404, 200]);
  await server.request('DELETE', `${path}/endpoints/kubernetes`);
  assert.deepEqual(await statuses(), [404, 404]);
  time.advance(10_000);
  await eventually(statuses, areThere);
  stop.abort();
  await running;
  await client.close();
  assert.deepEqual(problems, []);
});
