/** A stand-alone aggregator that finds servers by the services of a cluster, as far as its user may read them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startEcho } from './echo-server.ts';
import { must, startGateway } from './gateway-program.ts';
import { APISERVICES } from './registration-objects.ts';
import { createUser, isAvailable, NAMESPACE, untilCondition } from './standalone-objects.ts';
import { startStandalone } from './standalone-program.ts';

const GROUP = 'own.example.com';
const NAME = `v1.${GROUP}`;
const SERVICES = `/api/v1/namespaces/${NAMESPACE}/services`;
const SLICES = `/apis/discovery.k8s.io/v1/namespaces/${NAMESPACE}/endpointslices`;

test('services that the user may read', async (t) => {
  const cluster = await startGateway(t);
  const user = await createUser(t, cluster, {
    '': ['services'],
    'discovery.k8s.io': ['endpointslices'],
  });
  const echo = await startEcho(t, { groups: [GROUP] });
  const front = await startStandalone(t, {
    kubeconfig: user.kubeconfig,
    flags: ['--allow-loopback-endpoints'],
  });
  const spec = {
    group: GROUP,
    version: 'v1',
    groupPriorityMinimum: 2000,
    versionPriority: 200,
    service: { namespace: NAMESPACE, name: 'echo' },
    caBundle: Buffer.from(echo.ca).toString('base64'),
  };
  const reasonOf = async (reason: string) =>
    untilCondition(front, NAME, (condition) => condition.reason === reason);
  await must(front.send('POST', APISERVICES, { metadata: { name: NAME }, spec }));
  await reasonOf('ServiceNotFound');
  const service = { metadata: { name: 'echo' }, spec: { ports: [{ port: 443 }] } };
  await must(cluster.send('POST', SERVICES, service));
  await reasonOf('EndpointsNotFound');
  const slice = {
    metadata: { name: 'echo-1', labels: { 'kubernetes.io/service-name': 'echo' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['127.0.0.1'], conditions: { ready: true } }],
    ports: [{ name: '', port: Number(new URL(echo.url).port), protocol: 'TCP' }],
  };
  await must(cluster.send('POST', SLICES, slice));
  await untilCondition(front, NAME, isAvailable);
  const { status } = await front.send('GET', `/apis/${GROUP}/v1/namespaces/a/echoes/b`);
  assert.equal(status, 404); // its own answer
  await must(cluster.send('DELETE', `${SLICES}/echo-1`));
  await reasonOf('EndpointsNotFound');
});
