/** A watch through real programs: how soon an event is there, and how it ends. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Authority, createScope, eventually, take } from '../harness/index.ts';
import {
  type Gateway,
  must,
  type Program,
  startWardle,
  type Wardle,
  watchesOf,
} from './gateway-program.ts';
import {
  APISERVICES,
  apiService,
  flundersPath,
  startPublished,
  untilReason,
} from './registration-objects.ts';

const EVENTS = 50;
const SOON_MS = 50;
/** Of the slowest: another program of the machine may have the processor for a while. */
const PAUSE_MS = 500;
const FLUNDERS = flundersPath('v1alpha1');
const WATCH = `${FLUNDERS}?watch=true&resourceVersion=0&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`;

/** The garbage collector watches every kind, and the watches at wardle are counted. */
const NOBODY_ELSE = ['--controllers=*,-garbage-collector-controller'];

interface FlunderEvent {
  readonly type: string;
  readonly object: { readonly metadata: { readonly name: string } };
}

describe('a watch through the aggregator', () => {
  const scope = createScope('a watch through the aggregator');
  let gateway: Gateway;
  let authority: Authority;
  let wardle: Wardle;
  before(async () => {
    ({ gateway, authority, wardle } = await startPublished(scope, NOBODY_ELSE));
    await must(
      gateway.send('POST', APISERVICES, apiService({ version: 'v1alpha1', ca: authority.cert })),
    );
    await untilReason(gateway, { version: 'v1alpha1', reason: 'Passed', withinMs: 5_000 });
  });
  after(() => scope.close());

  test(`has each of ${EVENTS} events within ${SOON_MS} ms of the answer to its write`, async (t) => {
    await using watch = await gateway.watch(WATCH);
    const arrivedMs = new Map<string, number>();
    const reading = (async () => {
      for await (const line of watch.lines) {
        const { object } = line as FlunderEvent;
        arrivedMs.set(object.metadata.name, performance.now());
        if (arrivedMs.size === EVENTS) return;
      }
    })();
    const answeredMs = new Map<string, number>();
    for (let index = 0; index < EVENTS; index += 1) {
      const name = `event-${index}`;
      await must(gateway.send('POST', FLUNDERS, { metadata: { name } }));
      answeredMs.set(name, performance.now());
      await sleep(5); // One at a time: a batch would hide an event that waits for the next.
    }
    await Promise.race([reading, sleep(5_000)]);
    assert.equal(arrivedMs.size, EVENTS);
    // Both times are taken by this process when it has read the whole answer, and the whole event.
    const lateMs = [...answeredMs]
      .map(([name, ms]) => (arrivedMs.get(name) ?? Number.POSITIVE_INFINITY) - ms)
      .toSorted((a, b) => a - b);
    const at = (part: number): number => lateMs[Math.ceil(part * EVENTS) - 1] ?? 0;
    t.diagnostic(
      `p50 ${at(0.5).toFixed(1)} ms, p95 ${at(0.95).toFixed(1)} ms, all ${at(1).toFixed(1)} ms`,
    );
    assert.ok(at(0.95) <= SOON_MS, `p95 ${at(0.95)} ms`);
    assert.ok(at(1) <= PAUSE_MS, `the slowest ${at(1)} ms`);
  });

  test('is open before anything happens, and ends at the server when the client leaves', async () => {
    await untilWatches(wardle, 0); // that of another test may be on its way out
    const watch = await gateway.watch(WATCH);
    await untilWatches(wardle, 1);
    await watch.close();
    await untilWatches(wardle, 0);
  });

  test('ends at the client when its time at the server is over', async () => {
    const watch = await gateway.watch(`${WATCH}&timeoutSeconds=1`);
    const lines: unknown[] = [];
    for await (const line of watch.lines) lines.push(line); // An end that is none would throw.
    assert.deepEqual(lines, []);
  });

  test('ends well when the server stops, and comes again when it is back', async () => {
    const stopping = await startWardle(scope, gateway, {
      name: 'stopping',
      authority,
      flags: ['--shutdown-watch-termination-grace-period=0s'],
    });
    await moveEndpoint(gateway, stopping);
    const watch = await gateway.watch(WATCH);
    await untilWatches(stopping, 1);
    const ended = (async () => {
      for await (const _ of watch.lines);
    })();
    stopping.process.kill('SIGTERM');
    await ended;
    await moveEndpoint(gateway, wardle);
    await untilReason(gateway, { version: 'v1alpha1', reason: 'Passed', withinMs: 1_000 });
    await using again = await gateway.watch(WATCH);
    await must(gateway.send('POST', FLUNDERS, { metadata: { name: 'after-all' } }));
    const [event] = await take(again.lines[Symbol.asyncIterator](), 1);
    assert.equal((event as FlunderEvent).object.metadata.name, 'after-all');
  });

  test('breaks off when the server dies: nobody takes that for an end', async () => {
    const watch = await gateway.watch(WATCH);
    const ended = (async () => {
      for await (const _ of watch.lines);
    })();
    wardle.process.kill('SIGKILL');
    await assert.rejects(ended);
  });
});

async function untilWatches(server: Program, count: number): Promise<void> {
  let open = 0;
  await eventually(
    () => `${open} watches instead of ${count}`,
    async () => {
      open = await watchesOf(server, 'flunders');
      return open === count;
    },
  );
}

/** It listens before it knows whom to trust. */
async function untilReady(send: Wardle['send']): Promise<void> {
  await eventually('it is ready', async () => (await send('GET', '/readyz')).status === 200);
}

/** Until requests are answered there, and nowhere else. */
async function moveEndpoint(gateway: Gateway, { port, process, send }: Wardle): Promise<void> {
  await untilReady(send);
  const marker = { metadata: { name: `in-${process.name}` } };
  await must(send('POST', FLUNDERS, marker));
  const path = '/apis/discovery.k8s.io/v1/namespaces/wardle/endpointslices/api-0';
  const patch = { ports: [{ name: '', port, protocol: 'TCP' }] };
  await must(gateway.send('PATCH', path, patch, 'application/merge-patch+json'));
  const isThere = async () =>
    (await gateway.send('GET', `${FLUNDERS}/in-${process.name}`)).status === 200;
  await eventually('requests go where the endpoint moved', isThere);
}
