/** Bytes that a server sends without a request are never the response to a later request. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { defer, eventually, type TestScope } from '../../../../test/harness/index.ts';
import type { Exchange } from '../http/exchange.ts';
import { Http1Connections } from './http1-connections.ts';

const limits = {
  connectTimeoutMs: 60_000,
  connectionsMax: 4,
  pingIntervalMs: 30_000,
  pingTimeoutMs: 15_000,
  idleTimeoutMs: 60_000,
};
const response = (text: string) =>
  `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`;

/** Responds to each request with its path. */
async function startServer(t: TestScope) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.setNoDelay(true).on('error', () => {}));
    socket.on('data', (bytes: Buffer) => {
      socket.write(response(String(bytes).split(' ')[1] ?? ''));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  defer(t, () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  const origin = `http://127.0.0.1:${port}`;
  return { sockets, endpoint: { host: '127.0.0.1', port, origin, tls: undefined } };
}

const get = (path: string) => ({
  ...{ method: 'GET', path, headers: [], body: undefined, subject: `GET ${path}` },
  signal: new AbortController().signal,
});

async function text({ body }: Exchange): Promise<string> {
  let all = '';
  for await (const chunk of body) all += Buffer.from(chunk).toString();
  return all;
}

test('a request that follows unsolicited bytes does not get them as its response', async (t) => {
  const { sockets, endpoint } = await startServer(t);
  const connections = new Http1Connections(endpoint, limits);
  defer(t, () => connections.destroy());
  for (let round = 0; round < 20; round += 1) {
    assert.equal(await connections.open(get('/first')).then(text), '/first');
    // In flight when the next request begins.
    for (const socket of sockets) if (!socket.destroyed) socket.write(response('poison'));
    assert.equal(await connections.open(get('/victim')).then(text), '/victim');
  }
});

test('an idle connection that receives bytes is closed', async (t) => {
  const { sockets, endpoint } = await startServer(t);
  const connections = new Http1Connections(endpoint, limits);
  defer(t, () => connections.destroy());
  assert.equal(await connections.open(get('/first')).then(text), '/first');
  for (const socket of sockets) socket.write(response('poison'));
  await eventually('the connection is closed', () => connections.size === 0);
});
