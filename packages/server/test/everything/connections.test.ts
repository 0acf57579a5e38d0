/** Connections: a subresource that speaks for itself, over HTTP or over WebSocket. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { Widget } from '../everything-api.ts';
import { GROUP, outcomeOf, startEverything, widgetsPath } from './fixture.ts';

const path = `${widgetsPath()}/a`;

interface Row {
  readonly name: string;
  readonly method?: string;
  readonly path: string;
  readonly body?: string;
  readonly want: { status: number; text?: string; message?: string };
}
const rows: Row[] = [
  { name: 'GET', path: '/a/proxy', want: { status: 200, text: 'GET a /\n' } },
  { name: 'a path below', path: '/a/proxy/b/c?d=e', want: { status: 200, text: 'GET a /b/c\n' } },
  {
    name: 'PUT with a body',
    method: 'PUT',
    path: '/a/proxy/b',
    body: 'hello',
    want: { status: 200, text: 'PUT a /b hello\n' },
  },
  {
    name: 'PATCH, whatever its type',
    method: 'PATCH',
    path: '/a/proxy',
    body: 'x',
    want: { status: 200, text: 'PATCH a / x\n' },
  },
  {
    name: 'DELETE',
    method: 'DELETE',
    path: '/a/proxy',
    want: { status: 200, text: 'DELETE a /\n' },
  },
  {
    name: 'an object that is not there',
    path: '/b/proxy',
    want: { status: 404, message: `widgets.${GROUP} "b" not found` },
  },
  {
    name: 'a dry run',
    path: '/a/proxy?dryRun=All',
    want: { status: 400, message: 'dryRun is not supported' },
  },
  {
    name: 'a method that is not served',
    method: 'PUT',
    path: '/a/console',
    want: {
      status: 405,
      message: 'the server does not allow this method on the requested resource',
    },
  },
  {
    name: 'a path below one that has none',
    path: '/a/console/x',
    want: { status: 404, message: 'the server could not find the requested resource' },
  },
  {
    name: 'plain HTTP where a conversation is expected',
    path: '/a/console',
    want: { status: 400, message: 'Upgrade request required' },
  },
];

for (const { name, method = 'GET', path: below, body, want } of rows) {
  test(`a connection responds to ${name}`, async (t) => {
    const server = await startEverything(t);
    await server.client(Widget).create({ metadata: { name: 'a' }, spec: {} });
    const response = await server.request(method, widgetsPath() + below, {
      ...(body !== undefined && { body, contentType: 'text/plain' }),
    });
    const { text, message, status } = want;
    assert.equal(response.status, status, response.text);
    if (text !== undefined) assert.equal(response.text, text);
    if (message !== undefined) assert.equal(outcomeOf(response).message, message);
  });
}

test('a conversation over WebSocket goes both ways, and outlives the deadline of requests', async (t) => {
  const server = await startEverything(t, { requestTimeoutMs: 1000 });
  await server.client(Widget).create({ metadata: { name: 'a' }, spec: {} });
  const port = await server.listen();
  const socket = new WebSocket(`${port.url.replace('https:', 'wss:')}${path}/console`, {
    ca: port.ca,
    headers: { authorization: `Bearer ${port.token}` },
  });
  await once(socket, 'open');
  const say = async (data: string | Buffer) => {
    socket.send(data);
    const [received, isBinary] = (await once(socket, 'message')) as [Buffer, boolean];
    return `${isBinary ? 'binary' : 'text'} ${received}`;
  };
  assert.equal(await say('hello'), 'text hello');
  await server.clock.advance(60_000);
  assert.equal(await say(Buffer.from('still there')), 'binary still there');
  socket.close();
  await once(socket, 'close');
  assert.deepEqual(server.bugs, []);
});

test('who may not look gets no conversation', async (t) => {
  const server = await startEverything(t);
  const port = await server.listen();
  const socket = new WebSocket(`${port.url.replace('https:', 'wss:')}${path}/console`, {
    ca: port.ca,
    headers: { authorization: 'Bearer wrong' },
  });
  const [error] = (await once(socket, 'error')) as [Error];
  assert.match(error.message, /401/);
});
