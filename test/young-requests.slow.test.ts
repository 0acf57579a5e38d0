/**
 * Memory of a request is collected with the next collection of young objects, also on a server that has handled
 * slow writes.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:https';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Client, createClient, loadConfig } from '@tributary/client';
import { logShows, runSource, startProcess, temporaryDirectory } from './harness/index.ts';

const flunders = {
  group: 'wardle.example.com',
  version: 'v1beta1',
  plural: 'flunders',
  namespaced: true,
};
const ONE = '/apis/wardle.example.com/v1beta1/namespaces/default/flunders/one';
const WRITES = 1000;
const READS = 40_000;
const LANES = 32;
/** Of more than 25 MB that are allocated between two collections, 8 MB survive when requests are retained. */
const SURVIVING_BYTES_MAX = 2 * 1024 * 1024;

async function startWardle(t: TestContext) {
  const directory = await temporaryDirectory(t);
  const policy = join(directory, 'policy.json');
  const rules = [{ level: 'Metadata' }];
  await writeFile(policy, JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules }));
  const { command, args } = runSource(join(import.meta.dirname, '../samples/wardle/src/main.ts'), [
    '--secure-port=0',
    `--data-dir=${directory}`,
    `--audit-policy-file=${policy}`,
    `--audit-log-path=${join(directory, 'audit.log')}`,
  ]);
  const server = await startProcess(t, {
    command,
    args: ['--trace-gc', '--trace-gc-nvp', ...args],
    ready: logShows(/is ready at/),
  });
  const kubeconfig = join(directory, 'admin.kubeconfig');
  const client = createClient(await loadConfig({ kubeconfig }));
  t.after(() => client.close());
  const [, url = ''] = await server.waitForLog(/is ready at (https:\S+)/);
  const pem = (name: string) => readFile(join(directory, 'pki', name), 'utf8');
  const [ca, cert, key] = await Promise.all(['ca.crt', 'admin.crt', 'admin.key'].map(pem));
  const agent = new Agent({ keepAlive: true, maxSockets: LANES, ca, cert, key });
  t.after(() => agent.destroy());
  return { client, read: () => readOnce(`${url}${ONE}`, agent), log: () => server.log() };
}

/** Over HTTP/1.1: memory of an HTTP/2 connection lives longer in any Node server. */
function readOnce(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent }, (response) => {
      assert.equal(response.statusCode, 200);
      response.resume().on('end', resolve).on('error', reject);
    });
    request.on('error', reject);
  });
}

async function inLanes(times: number, run: () => Promise<unknown>): Promise<void> {
  let left = times;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      await run();
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

function create(client: Client): Promise<unknown> {
  const metadata = { name: 'one', namespace: 'default' };
  return client
    .resource(flunders)
    .create({ apiVersion: 'wardle.example.com/v1beta1', kind: 'Flunder', metadata });
}

test('the memory of requests after a thousand writes is collected while young', async (t) => {
  const { client, read, log } = await startWardle(t);
  await create(client);
  let refused = 0;
  // One after the other: each waits for the store, and survives collections.
  for (let number = 0; number < WRITES; number += 1) {
    await create(client).catch(() => {
      refused += 1;
    });
  }
  assert.equal(refused, WRITES);
  await inLanes(READS, read);
  const surviving = [...log().matchAll(/ gc=s .* promoted=(\d+)/g)].map(([, bytes]) =>
    Number(bytes),
  );
  const last = surviving.slice(-8);
  t.diagnostic(`survivors of the last collections: ${last.join(' ')}`);
  assert.ok(last.length === 8, log().slice(-2000));
  const middle = last.toSorted((one, other) => one - other)[4] ?? 0;
  assert.ok(middle < SURVIVING_BYTES_MAX, `${middle} bytes survive a collection`);
});
