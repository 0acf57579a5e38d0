/** A stand-alone aggregator in front of our own control plane. */
import { test } from 'node:test';
import { startGateway } from './gateway-program.ts';
import { standaloneSuite } from './standalone-suite.ts';

test('an aggregator of one user in front of our control plane', async (t) => {
  await standaloneSuite(t, {
    cluster: await startGateway(t),
    configMaps: ['kube-root-ca.crt'],
  });
});
