import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import {
  assertListensOn,
  freePort,
  isAddressInUse,
  listeningInodes,
  listeningPid,
  PortStolen,
  withFreePort,
} from './ports.ts';
import { startProcess } from './process.ts';
import { acceptsConnections } from './ready.ts';
import { defer, type TestScope } from './scope.ts';

async function listen(t: TestScope, port: number, host = '127.0.0.1'): Promise<void> {
  const server = createServer().listen(port, host);
  defer(t, () => void server.close());
  await once(server, 'listening');
}

function listener(port: number): { command: string; args: string[] } {
  const script = `require('node:net').createServer().listen(${port}, '127.0.0.1')`;
  return { command: process.execPath, args: ['-e', script] };
}

test('free ports are free and different', async (t) => {
  const ports = [await freePort(), await freePort(), await freePort()];
  assert.equal(new Set(ports).size, 3);
  for (const port of ports) {
    assert.equal(listeningPid(port), undefined);
    await listen(t, port);
  }
});

test('the listening process is found', async (t) => {
  const port = await freePort();
  await listen(t, port);
  assert.equal(listeningPid(port), process.pid);
  assertListensOn(process.pid, port);
});

test('the listener may be a member of the process group', async (t) => {
  const port = await freePort();
  const { command, args } = listener(port);
  const started = await startProcess(t, {
    command: '/bin/sh',
    args: ['-c', '"$@" & wait', 'sh', command, ...args],
    ready: acceptsConnections(port),
  });
  assert.notEqual(listeningPid(port), started.pid);
  assertListensOn(started, port);
});

test('a port stolen by another process is detected', async (t) => {
  const port = await freePort();
  await startProcess(t, { ...listener(port), ready: acceptsConnections(port) });
  const victim = await startProcess(t, { command: 'sleep', args: ['300'] });
  assert.throws(() => assertListensOn(victim, port), PortStolen);
  const start = startProcess(t, {
    command: 'sleep',
    args: ['300'],
    name: 'victim',
    ready: acceptsConnections(port),
    readyTimeoutMs: 3_000, // long enough for one poll on any machine
  });
  await assert.rejects(start, /victim was not ready.*port \d+ belongs to process \d+/);
});

test('a second listener on the other address family is detected', async (t) => {
  const port = await freePort();
  const started = await startProcess(t, { ...listener(port), ready: acceptsConnections(port) });
  try {
    await listen(t, port, '::1');
  } catch {
    return t.diagnostic('without IPv6 there is no second family to confuse');
  }
  assert.throws(() => assertListensOn(started, port), PortStolen);
});

test('a port without a listener is not stolen', async () => {
  const port = await freePort();
  assert.throws(() => assertListensOn(process.pid, port), /nothing listens/);
});

test('a start that loses its port gets another one', async (t) => {
  const seen: number[] = [];
  const port = await withFreePort(async (port) => {
    seen.push(port);
    if (seen.length === 1) await listen(t, port); // Another process takes the port.
    await listen(t, port);
    return port;
  });
  assert.equal(seen.length, 2);
  assert.equal(port, seen[1]);
});

test('a process that finds its port taken is restarted on another one', async (t) => {
  let attempts = 0;
  const { port, started } = await withFreePort(async (port) => {
    attempts += 1;
    if (attempts === 1) await listen(t, port);
    const ready = acceptsConnections(port);
    return { port, started: await startProcess(t, { ...listener(port), ready }) };
  });
  assert.equal(attempts, 2);
  assertListensOn(started, port);
});

test('other failures of a start are not retried', async () => {
  let attempts = 0;
  const start = withFreePort(async () => {
    attempts += 1;
    throw new Error('bad flag');
  });
  await assert.rejects(start, /bad flag/);
  assert.equal(attempts, 1);
});

const cases = [
  {
    name: 'code of Node',
    error: new Error('listen EADDRINUSE: address already in use'),
    want: true,
  },
  { name: 'message of Go', error: new Error('bind: address already in use'), want: true },
  { name: 'a cause', error: new Error('x', { cause: new PortStolen('y') }), want: true },
  { name: 'something else', error: new Error('ECONNREFUSED'), want: false },
  { name: 'no error at all', error: 'EADDRINUSE', want: false },
];
for (const { name, error, want } of cases) {
  test(`address in use: ${name}`, () => assert.equal(isAddressInUse(error), want));
}

test('only listening sockets of exactly this port count', () => {
  const table = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    '   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 111 1 x',
    '   1: 0100007F:1F90 0100007F:C000 01 00000000:00000000 00:00000000 00000000     0        0 222 1 x',
    '   2: 0100007F:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 333 1 x',
  ].join('\n');
  assert.deepEqual(listeningInodes(table, 8080), ['111']);
});
