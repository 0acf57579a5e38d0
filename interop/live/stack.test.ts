import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { createScope, httpsRequest, listeningPid } from '../../test/harness/index.ts';
import { type PeerName, requirePeer } from '../peers/peers.ts';
import { type ReferenceStack, type ServerAccess, startReferenceStack } from '../stack.ts';

const run = promisify(execFile);

suite('the reference stack', () => {
  let stack: ReferenceStack;

  before(async () => {
    stack = await startReferenceStack({ aggregate: true });
  });
  after(async () => stack.stop());

  test('the servers report the pinned release', async () => {
    for (const server of [stack.kubeApiserver, stack.sampleApiserver]) {
      const { gitVersion } = (await get(server, '/version')) as { gitVersion: string };
      assert.equal(gitVersion, stack.versions.kubeApiserver);
    }
  });

  const clients: readonly PeerName[] = ['kubectl', 'kubectl-middle'];
  for (const client of clients) {
    test(`${client} writes to the sample-apiserver and reads through the aggregator`, async () => {
      const flunder = `flunder-${client}`;
      await create(stack.sampleApiserver, flunder);
      const direct = await kubectl(client, stack.sampleApiserver, ['get', 'flunders']);
      assert.match(direct, new RegExp(flunder));
      const aggregated = await kubectl(client, stack.kubeApiserver, ['get', 'flunders']);
      assert.match(aggregated, new RegExp(flunder));
    });
  }

  test('everything is gone after stop', async () => {
    const scope = createScope('second stack');
    const second = await startReferenceStack({ scope });
    const ports = [second.etcdUrl, second.kubeApiserver.url, second.sampleApiserver.url].map(
      portOf,
    );
    assert.ok(ports.every((port) => listeningPid(port) !== undefined));
    await second.stop();
    await second.stop();
    assert.deepEqual(ports.map(listeningPid), [undefined, undefined, undefined]);
    await scope.close();
    assert.equal(existsSync(dirname(second.kubeApiserver.adminKubeconfig)), false);
  });
});

async function get({ url, ca, admin }: ServerAccess, path: string): Promise<unknown> {
  return (await httpsRequest(url + path, { ca, ...admin })).json();
}

async function create({ url, ca, admin }: ServerAccess, name: string): Promise<void> {
  const path = '/apis/wardle.example.com/v1beta1/namespaces/default/flunders';
  const body = { metadata: { name } };
  const response = await httpsRequest(url + path, { method: 'POST', body, ca, ...admin });
  assert.equal(response.status, 201, response.body);
}

async function kubectl(
  client: PeerName,
  server: ServerAccess,
  args: readonly string[],
): Promise<string> {
  const flags = ['--kubeconfig', server.adminKubeconfig, '--cache-dir', dirname(server.caFile)];
  const { stdout } = await run(requirePeer(client), [...flags, ...args]);
  return stdout;
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
