import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { installSuite } from '../bootstrap/install-suite.ts';
import { startReferenceStack } from '../stack.ts';

installSuite('kube-apiserver', async (scope) => {
  const { kubeApiserver } = await startReferenceStack({
    scope,
    // There is no kube-proxy: endpoints are dialled themselves.
    kubeApiserverFlags: ['--enable-aggregator-routing=true'],
  });
  const { url, ca, adminKubeconfig } = kubeApiserver;
  return {
    url,
    ca,
    kubeconfig: adminKubeconfig,
    endpointAddress: outsideAddress(),
    aggregatesRoles: false,
  };
});

/** The original allows no endpoint on the loopback interface. */
function outsideAddress(): string {
  const address = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
  assert.ok(address, 'this machine has no address but the loopback one');
  return address;
}
