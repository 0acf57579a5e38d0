import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { defer } from '../../../test/harness/index.ts';
import { Connections } from './connections.ts';

const limits = {
  connectTimeoutMs: 5000,
  connectionsMax: 10,
  pingIntervalMs: 30_000,
  pingTimeoutMs: 15_000,
  idleTimeoutMs: 60_000,
  readConnectionsMax: 2,
};

test('nothing is dialled for somebody who has left', async (t) => {
  let dialled = 0;
  const server = createServer((socket) => {
    dialled += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  defer(t, () => void server.close());
  const { port } = server.address() as { port: number };
  const origin = `https://127.0.0.1:${port}`;
  const connections = new Connections(
    { host: '127.0.0.1', port, origin, tls: async () => ({}) },
    limits,
  );
  defer(t, () => connections.destroy());
  const reason = new Error('left');
  const opened = connections.open({
    ...{ method: 'GET', path: '/', headers: [], body: undefined, subject: 'GET' },
    signal: AbortSignal.abort(reason),
  });
  await assert.rejects(opened, reason);
  await delay(50);
  assert.equal(dialled, 0);
});
