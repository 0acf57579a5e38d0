import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { defer, type TestScope, turns } from '../../../../test/harness/index.ts';
import { Http1Connections } from './http1-connections.ts';

const limits = {
  connectTimeoutMs: 60_000,
  connectionsMax: 1,
  pingIntervalMs: 30_000,
  pingTimeoutMs: 15_000,
  idleTimeoutMs: 60_000,
};

/** Accepts connections, and never responds. */
async function startSilent(t: TestScope) {
  const sockets = new Set<Socket>();
  const received = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.once('data', () => received.resolve());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  defer(t, () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return { port, received: received.promise };
}

for (const { name, tls } of [
  { name: 'the handshake', tls: async () => ({}) },
  { name: 'the response', tls: undefined },
]) {
  test(`an aborted request rejects at once while it waits for ${name}, and behind other requests`, async (t) => {
    const { port, received } = await startSilent(t);
    const endpoint = { host: '127.0.0.1', port, origin: `https://127.0.0.1:${port}`, tls };
    const connections = new Http1Connections(endpoint, limits);
    defer(t, () => connections.destroy());
    const ends: string[] = [];
    const abort = new AbortController();
    const opened = ['first', 'second'].map((subject) =>
      connections.open({
        ...{ method: 'GET', path: '/', headers: [], body: undefined, subject },
        signal: abort.signal,
        onEnd: () => ends.push(subject),
      }),
    );
    await received;
    await turns();
    assert.deepEqual(ends, []);
    const reason = new Error('enough');
    abort.abort(reason);
    const outcomes = await Promise.allSettled(opened);
    assert.deepEqual(outcomes, Array(2).fill({ status: 'rejected', reason }));
    assert.deepEqual(ends, ['first', 'second']);
    await turns();
    assert.deepEqual(ends, ['first', 'second'], 'each ends once');
  });
}

for (const encoding of [
  'gzip, chunked',
  'chunked, chunked',
  'chunked\r\nTransfer-Encoding: chunked',
]) {
  test(`a response with Transfer-Encoding ${JSON.stringify(encoding)} is refused`, async (t) => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => {}));
      const head = `HTTP/1.1 200 OK\r\nTransfer-Encoding: ${encoding}\r\n\r\n`;
      socket.once('data', () => socket.write(`${head}2\r\nok\r\n0\r\n\r\n`));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const origin = `http://127.0.0.1:${port}`;
    const endpoint = { host: '127.0.0.1', port, origin, tls: undefined };
    const connections = new Http1Connections(endpoint, limits);
    defer(t, () => {
      connections.destroy();
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const opened = connections.open({
      ...{ method: 'GET', path: '/', headers: [], body: undefined, subject: 'GET' },
      signal: new AbortController().signal,
    });
    await assert.rejects(opened, { name: 'TransportError', code: /^HPE_/ });
    await turns();
    assert.equal(connections.size, 0, 'the connection is not reused');
  });
}
