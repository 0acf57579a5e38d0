/** A stand-alone aggregator whose cluster goes away, and which is started again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../harness/index.ts';
import { startEcho } from './echo-server.ts';
import { must, type Program, startGateway } from './gateway-program.ts';
import { APISERVICES } from './registration-objects.ts';
import {
  createUser,
  isAvailable,
  NAMESPACE,
  USER,
  untilCondition,
  urlService,
} from './standalone-objects.ts';
import { startStandalone } from './standalone-program.ts';

const OWN = 'own.example.com';
const CONFIGMAPS = `/api/v1/namespaces/${NAMESPACE}/configmaps`;
const AGGREGATED_FORM = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

test('what is registered and what is listed outlives the cluster, and the process', async (t) => {
  const cluster = await startGateway(t);
  const user = await createUser(t, cluster, { '': ['configmaps'] });
  const echo = await startEcho(t, { groups: [OWN] });
  const first = await startStandalone(t, { kubeconfig: user.kubeconfig });
  await must(first.send('POST', APISERVICES, urlService({ group: OWN, version: 'v1' }, echo)));
  await untilCondition(first, `v1.${OWN}`, isAvailable);

  await t.test('a new process on the same directory has the same registrations', async () => {
    const { dataDir } = first;
    const metadata = await registered(first);
    await first.process.stop();
    const second = await startStandalone(t, { kubeconfig: user.kubeconfig, dataDir });
    assert.deepEqual(await registered(second), metadata);
    await untilCondition(second, `v1.${OWN}`, isAvailable);
    await second.process.stop();
  });

  const { dataDir } = first;
  const front = await startStandalone(t, { kubeconfig: user.kubeconfig, dataDir });
  const lists = async () => {
    const legacy = await front.ask('/apis');
    const aggregated = await front.ask('/apis', { accept: AGGREGATED_FORM });
    return [legacy.body, aggregated.body];
  };
  await untilCondition(front, `v1.${OWN}`, isAvailable);
  const known = await eventually('the list has resources of both', async () => {
    const both = await lists();
    const [, aggregated = ''] = both;
    return ['echoes', 'rolebindings'].every((name) => aggregated.includes(`"${name}"`)) && both;
  });
  await cluster.process.stop();

  await t.test('lists are as they were', async () => {
    assert.deepEqual(await lists(), known);
  });

  await t.test('servers of our own are asked as before, in the name of the user', async () => {
    const path = `/apis/${OWN}/v1/namespaces/${NAMESPACE}/echoes/a`;
    assert.equal((await front.send('GET', path)).status, 404); // its own answer
    const { headers } = echo.received.findLast((one) => one.path === path) ?? {};
    assert.equal(headers?.['x-remote-user'], USER);
  });

  for (const { name, path } of [
    { name: 'a list', path: CONFIGMAPS },
    { name: 'a watch', path: `${CONFIGMAPS}?watch=1` },
    { name: 'the version', path: '/version' },
  ]) {
    await t.test(`${name} of the cluster is a Status that says why`, async () => {
      const { status, body } = await front.send('GET', path);
      assert.equal(status, 503);
      const { kind, reason, message } = body as Readonly<Record<string, string>>;
      assert.deepEqual({ kind, reason }, { kind: 'Status', reason: 'ServiceUnavailable' });
      const where = new URL(cluster.url).host;
      const words = `the cluster at ${cluster.url} cannot be reached: ${where}: connection refused`;
      assert.ok(message?.startsWith(words), message);
    });
  }
});

async function registered(program: Program): Promise<unknown> {
  const { items } = (await must(program.send('GET', APISERVICES))) as {
    readonly items: readonly {
      readonly metadata: { readonly name: string; readonly uid: string };
    }[];
  };
  return items.map(({ metadata: { name, uid } }) => ({ name, uid }));
}
