/** A watch through real programs: its events, and how it ends. How soon an event is there is in watch.timing.test.ts. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
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
    await untilReason(gateway, { version: 'v1alpha1', reason: 'Passed' });
  });
  after(() => scope.close());

  test('has each event before anything follows it: none waits for the next', async () => {
    await using watch = await gateway.watch(WATCH);
    const lines = watch.lines[Symbol.asyncIterator]();
    for (let index = 0; index < EVENTS; index += 1) {
      const name = `event-${index}`;
      await must(gateway.send('POST', FLUNDERS, { metadata: { name } }));
      const [event] = await take(lines, 1);
      assert.equal((event as FlunderEvent).object.metadata.name, name);
    }
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
    await untilReason(gateway, { version: 'v1alpha1', reason: 'Passed' });
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
