/** Writes of large objects on keep-alive connections, beside readers of large lists, on a busy machine. */
import assert from 'node:assert/strict';
import { Agent, request } from 'node:https';
import { availableParallelism } from 'node:os';
import { type TestContext, test } from 'node:test';
import { createCore } from './faults/core-program.ts';
import type { Credentials } from './faults/target.ts';
import { SeededRandom, startProcess } from './harness/index.ts';

const POSTS = process.env.TRIBUTARY_FULL === '1' ? 5_000 : 400;
const LANES = 8;
const READERS = 4;
const LOOPS_PER_PROCESSOR = 1;
const SMALLEST_BYTES = 100_000;
const LARGEST_BYTES = 500_000;
const LISTED_OBJECTS = 40;
const LISTED_BYTES = 100_000;
const PATH = '/api/v1/namespaces/default/configmaps';

test(`none of ${POSTS} large POSTs on keep-alive connections over HTTP/1.1 is lost beside readers and busy loops`, async (t) => {
  const random = new SeededRandom(20);
  const { target } = await createCore(t, { flags: ['--sample=none'] });
  await target.start();
  const client = openClient(t, { url: await target.url(), credentials: target.credentials });
  for (let at = 0; at < LISTED_OBJECTS; at += 1) {
    assert.equal((await client.post(PATH, configMap(`listed-${at}`, LISTED_BYTES))).status, 201);
  }
  for (let at = 0; at < LOOPS_PER_PROCESSOR * availableParallelism(); at += 1)
    await startBusyLoop(t);
  const done = new AbortController();
  const readers = Array.from({ length: READERS }, () => readLists(client, done.signal));
  const outcomes: Record<string, number> = {};
  let left = POSTS;
  const lane = async () => {
    for (; left > 0; left -= 1) {
      const bytes = random.int(SMALLEST_BYTES, LARGEST_BYTES);
      const outcome = await client
        .post(`${PATH}?dryRun=All`, configMap('posted', bytes))
        .then(({ status }) => String(status), String);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  done.abort();
  const lists = await Promise.all(readers);
  assert.deepEqual(Object.keys(outcomes), ['201'], JSON.stringify(outcomes));
  assert.ok(lists.every((count) => count > 0));
  t.diagnostic(`${outcomes['201']} POSTs, ${lists.join(' + ')} lists`);
});

interface Client {
  get(path: string): Promise<{ status: number; bytes: number }>;
  post(path: string, body: string): Promise<{ status: number; bytes: number }>;
}

function openClient(
  t: TestContext,
  { url, credentials }: { url: string; credentials: Credentials },
): Client {
  const agent = new Agent({
    keepAlive: true,
    maxSockets: LANES,
    scheduling: 'fifo',
    ...credentials,
  });
  t.after(() => agent.destroy());
  const send = (method: string, path: string, body = '') =>
    new Promise<{ status: number; bytes: number }>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': body.length };
      const outgoing = request(`${url}${path}`, { method, agent, headers }, (response) => {
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, bytes }));
        response.on('error', reject);
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  return { get: (path) => send('GET', path), post: (path, body) => send('POST', path, body) };
}

async function readLists(client: Client, signal: AbortSignal): Promise<number> {
  let count = 0;
  while (!signal.aborted) {
    const { status, bytes } = await client.get(PATH);
    assert.equal(status, 200);
    assert.ok(bytes > LISTED_OBJECTS * LISTED_BYTES);
    count += 1;
  }
  return count;
}

/** Keeps one core busy. */
function startBusyLoop(t: TestContext) {
  return startProcess(t, { command: process.execPath, args: ['-e', 'for (;;);'], name: 'loop' });
}

function configMap(name: string, bytes: number): string {
  const metadata = { name, namespace: 'default' };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata,
    data: { x: 'x'.repeat(bytes) },
  });
}
