import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { eventually } from '../../../test/harness/index.ts';
import { forecast, forecasts, startFixture } from './server-fixture.ts';
import { nextMessages, webSocketTo } from './websocket-client.ts';

test('a whole server tells its changes over WebSocket, and forgets who vanished', async () => {
  await using fixture = await startFixture();
  const { server, pki } = fixture;
  const watchers = async () => {
    const { body } = await fixture.request('/metrics');
    return Number(/^tributary_watch_cache_watchers(?:\{[^}]*\})? (\d+)$/m.exec(body)?.[1]);
  };
  const { cert, key } = pki.admin;
  const socket = webSocketTo({ url: server.url, pki }, `${forecasts}?watch=true`, { cert, key });
  await once(socket, 'open');
  const arrived = nextMessages(socket, 1);
  await fixture.request(forecasts, { method: 'POST', body: forecast('a') });
  const [event] = (await arrived).map((message) => JSON.parse(String(message)));
  assert.deepEqual([event.type, event.object.metadata.name], ['ADDED', 'a']);
  assert.equal(await watchers(), 1);
  socket.terminate();
  await eventually('nobody watches', async () => (await watchers()) === 0);

  const refusal = webSocketTo({ url: server.url, pki }, `${forecasts}?watch=true`);
  const [error] = (await once(refusal, 'error')) as [Error];
  assert.match(error.message, /403/, 'who is unknown gets the usual answer, over HTTP');
});
