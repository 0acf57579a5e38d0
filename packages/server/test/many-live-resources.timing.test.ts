/** Hundreds of resources that come at once: nobody else waits for them. */
// A full collection of a hundred megabytes stops the loop for up to 80 ms where other processes keep V8's own threads
// waiting, and is not what is measured: with so much room there is none.
// Flags: --initial-old-space-size=1024
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { httpsRequest, leastMs } from '../../../test/harness/index.ts';
import type { JsonSchema } from '../src/schema.ts';
import { startTestServer, type TestServer } from '../src/testing/index.ts';
import { everything } from './everything-api.ts';
import { gadget } from './live-fixture.ts';
import { watchLoop } from './loop-stalls.ts';

const COUNT = 500;
/** Of what is one document: that takes longer than a test should. */
const LARGE_COUNT = 100;
const PER_GROUP = 10;
const STALL_MS = 50;
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** About 20 KB of schema, as operators bring it. */
function section(number: number): Record<string, JsonSchema> {
  return Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [
      `section${at}`,
      {
        type: 'object',
        description: `What ${number} knows of ${at}.`,
        properties: Object.fromEntries(
          Array.from({ length: 12 }, (_, field) => [
            `field${field}`,
            { type: 'string', maxLength: 100 + field, description: `The field ${field} of it.` },
          ]),
        ),
      },
    ]),
  );
}

function groupOf(number: number): string {
  return `group-${Math.floor(number / PER_GROUP)}.live.example.com`;
}

function serveOne(server: TestServer, number: number, group = groupOf(number)): void {
  server.live.serve(
    `thing-${number}`,
    gadget({
      group,
      kind: `Thing${number}`,
      plural: `things${number}`,
      properties: section(number),
    }),
  );
}

interface Started {
  readonly server: TestServer;
  /** The body is not read as anything: whoever does that in the same process would hold it up for long. */
  ask(path: string): Promise<string>;
}

async function start(t: TestContext): Promise<Started> {
  const server = await startTestServer(everything);
  t.after(() => server.close());
  const { url, ca, token } = await server.listen();
  const ask = async (path: string): Promise<string> => {
    // A document that is not modified is made all the same.
    const document = path.startsWith('/openapi/') && { 'if-none-match': '*' };
    const headers = { authorization: `Bearer ${token}`, accept: AGGREGATED, ...document };
    const { status, body } = await httpsRequest(`${url}${path}`, {
      ca,
      headers,
      timeoutMs: 60_000,
    });
    assert.ok(status === 200 || status === 304, `${path}: ${status}`);
    return body;
  };
  // What is made once per process is not what is measured.
  serveOne(server, COUNT);
  for (const path of ['/apis', '/openapi/v3', '/openapi/v2']) await ask(path);
  return { server, ask };
}

test('500 resources come, are found and go without anybody waiting for it', async (t) => {
  let servedMs = Number.POSITIVE_INFINITY;
  const longestMs = await leastMs(STALL_MS, async () => {
    const { server, ask } = await start(t);
    const loop = watchLoop(t);
    const before = process.cpuUsage();
    for (let number = 0; number < COUNT; number += 1) {
      serveOne(server, number);
      await setImmediate(); // they come one by one, as events of a watch
      if (number % (5 * PER_GROUP) === 0) await ask('/apis');
    }
    const { user, system } = process.cpuUsage(before);
    servedMs = Math.min(servedMs, (user + system) / 1000);
    const stalls = { serving: loop.longestMs(), documents: 0, stopping: 0 };
    assert.match(await ask('/apis'), /"resource":"things499"/);

    loop.reset();
    await server.clock.advance(2000);
    await ask('/openapi/v3');
    await ask(`/openapi/v3/apis/${groupOf(COUNT - 1)}/v1`);
    stalls.documents = loop.longestMs();

    loop.reset();
    for (let number = 0; number < COUNT; number += 1) {
      server.live.stop(`thing-${number}`);
      await setImmediate();
    }
    assert.doesNotMatch(await ask('/apis'), /"resource":"things499"/);
    stalls.stopping = loop.longestMs();
    assert.deepEqual(server.bugs, []);
    await server.close();
    t.diagnostic(`milliseconds: ${JSON.stringify(stalls)}`);
    return Math.max(...Object.values(stalls));
  });
  assert.ok(longestMs < STALL_MS, `the loop stood still for ${longestMs} ms`);
  assert.ok(servedMs < 3000, `it took ${servedMs} ms of CPU to serve and show them`);
});

const large: { name: string; group?: string; path: string }[] = [
  { name: 'the one document of version 2 about all of them', path: '/openapi/v2' },
  {
    name: 'the document of a group that has all of them',
    group: 'all.example.com',
    path: '/openapi/v3/apis/all.example.com/v1',
  },
];

for (const { name, group, path } of large) {
  test(`${name} is made in turns`, async (t) => {
    const longestMs = await leastMs(STALL_MS, async () => {
      const { server, ask } = await start(t);
      for (let number = 0; number < LARGE_COUNT; number += 1) serveOne(server, number, group);
      await server.clock.advance(2000);
      await setImmediate();
      const loop = watchLoop(t);
      await ask(path);
      const stall = loop.longestMs();
      await server.close();
      return stall;
    });
    assert.ok(longestMs < STALL_MS, `the loop stood still for ${longestMs} ms`);
  });
}
