import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { test } from 'node:test';
import { defer, eventually, turns } from '../../../../test/harness/index.ts';
import { Connections } from './connections.ts';

const limits = {
  connectTimeoutMs: 60_000,
  connectionsMax: 10,
  pingIntervalMs: 30_000,
  pingTimeoutMs: 15_000,
  idleTimeoutMs: 60_000,
};

test('an aborted request dials no connection', async (t) => {
  const accepted: (number | undefined)[] = [];
  const server = createServer((socket) => {
    accepted.push(socket.remotePort);
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
  await turns();
  // The server accepts connections in the order in which they were made.
  const marker = connect(port, '127.0.0.1');
  defer(t, () => void marker.destroy());
  await once(marker, 'connect');
  const { localPort } = marker;
  await eventually('the marker is accepted', () => accepted.includes(localPort));
  assert.deepEqual(accepted, [localPort], 'only the marker');
});
