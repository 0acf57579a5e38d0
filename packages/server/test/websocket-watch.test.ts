/** Watches over WebSocket: the same events, one in each message. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:https';
import { test } from 'node:test';
import type { WebSocket } from 'ws';
import { eventually, httpsRequest, turns } from '../../../test/harness/index.ts';
import type { ApiRequest, ApiResponse } from '../src/request/pipeline.ts';
import { startListener } from './listener-fixture.ts';
import { unchanged } from './unchanged.ts';
import { conversation, nextMessages, webSocketTo } from './websocket-client.ts';

const WATCH = '/apis/weather.example.com/v1/forecasts?watch=true';
const contentType = 'application/json';

/** Watches that count themselves, and their events while a client reads them. */
function watches(chunksOf: (request: ApiRequest) => AsyncIterable<Uint8Array>) {
  const state = { open: 0, begun: 0, sent: 0 };
  async function* counted(request: ApiRequest): AsyncGenerator<Uint8Array> {
    state.open += 1;
    state.begun += 1;
    try {
      for await (const chunk of chunksOf(request)) {
        state.sent += 1;
        yield chunk;
      }
    } finally {
      state.open -= 1;
    }
  }
  const handler = async (incoming: ApiRequest): Promise<ApiResponse> => ({
    kind: 'stream',
    contentType,
    chunks: counted(incoming),
    headers: [['Audit-Id', 'the-id']],
  });
  return { state, handler };
}

async function* threeEvents(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{"type":"ADDED"}\n{"type":"MODIFIED"}\n');
  await turns(1);
  yield Buffer.from('{"type":"DELETED"}\n');
}

/** Events of a size without end, until the client is gone. */
function flood(bytes: number) {
  const event = Buffer.from(`${JSON.stringify({ type: 'ADDED', filler: 'x'.repeat(bytes) })}\n`);
  return async function* ({ cancellation }: ApiRequest): AsyncGenerator<Uint8Array> {
    while (!cancellation.signal.aborted) {
      yield event;
      await turns(1);
    }
  };
}

// biome-ignore lint/correctness/useYield: nothing ever happens in it
async function* silence({ cancellation: { signal } }: ApiRequest): AsyncGenerator<Uint8Array> {
  if (!signal.aborted) await once(signal, 'abort');
}

test('each event is a text message with its newline, and the end is a goodbye', async () => {
  const { state, handler } = watches(threeEvents);
  await using fixture = await startListener(handler);
  const { messages, code } = await conversation(webSocketTo(fixture, WATCH));
  assert.deepEqual(messages, [
    '{"type":"ADDED"}\n',
    '{"type":"MODIFIED"}\n',
    '{"type":"DELETED"}\n',
  ]);
  assert.equal(code, 1000);
  assert.deepEqual([state.open, state.begun, fixture.bugs], [0, 1, []]);
});

test('the one offered subprotocol is taken', async () => {
  await using fixture = await startListener(watches(threeEvents).handler);
  const socket = webSocketTo(fixture, WATCH, { protocols: ['base64.binary.k8s.io'] });
  const { messages } = await conversation(socket);
  assert.equal(socket.protocol, 'base64.binary.k8s.io');
  assert.equal(messages[0], '{"type":"ADDED"}\n');
});

const handshake = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-version': '13',
  origin: 'https://page.example.com',
};

const refused = [
  { name: 'no origin', headers: { ...handshake, origin: '' }, code: 403 },
  { name: 'no key', headers: { ...handshake, 'sec-websocket-key': '' }, code: 400 },
  { name: 'an old version', headers: { ...handshake, 'sec-websocket-version': '8' }, code: 400 },
  {
    name: 'two subprotocols',
    headers: { ...handshake, 'sec-websocket-protocol': 'a, b' },
    code: 400,
  },
];

for (const { name, headers, code } of refused) {
  test(`a bad handshake is a Status over plain HTTP, and begins no watch: ${name}`, async () => {
    const { state, handler } = watches(threeEvents);
    await using fixture = await startListener(handler);
    const response = await httpsRequest(fixture.url + WATCH, { headers, ca: fixture.pki.ca.cert });
    assert.equal(response.status, code);
    assert.equal((response.json() as { code: number }).code, code);
    assert.equal(response.headers['audit-id'], 'the-id');
    assert.equal(response.headers['sec-websocket-version'], '13');
    assert.deepEqual([state.begun, fixture.bugs], [0, []]);
  });
}

test('an upgrade to something else is not for us: the watch is served over HTTP', async () => {
  await using fixture = await startListener(watches(threeEvents).handler);
  const headers = { connection: 'Upgrade', upgrade: 'foo' };
  const response = await httpsRequest(fixture.url + WATCH, { headers, ca: fixture.pki.ca.cert });
  assert.equal(response.status, 200);
  assert.equal(response.body.split('\n').length, 4);
});

test('a request with a body is read, whatever it asks for besides', async () => {
  await using fixture = await startListener(async (incoming) => ({
    kind: 'bytes',
    code: 201,
    contentType,
    chunks: [await incoming.body()],
  }));
  const response = await httpsRequest(fixture.url, {
    method: 'POST',
    headers: handshake,
    body: { name: 'a' },
    ca: fixture.pki.ca.cert,
  });
  assert.deepEqual([response.status, response.body], [201, '{"name":"a"}']);
});

test('messages of a client are ignored, and its pings get a pong', async () => {
  const { state, handler } = watches(silence);
  await using fixture = await startListener(handler);
  const socket = webSocketTo(fixture, WATCH);
  await once(socket, 'open');
  socket.send('hello');
  // In several frames, as a client may send what it has not in one piece.
  socket.send('fragment one, ', { fin: false });
  socket.send('fragment two', { fin: true });
  socket.ping('are you there');
  const [pong] = (await once(socket, 'pong')) as [Buffer];
  assert.equal(String(pong), 'are you there');
  socket.close();
  await once(socket, 'close');
  await eventually('the watch ended', () => state.open === 0);
  assert.deepEqual(fixture.bugs, []);
});

test('a message of more than 1 MiB ends the conversation with 1009', async () => {
  const { state, handler } = watches(silence);
  await using fixture = await startListener(handler);
  const socket = webSocketTo(fixture, WATCH);
  await once(socket, 'open');
  socket.send(Buffer.alloc(1024 * 1024));
  socket.send(Buffer.alloc(1024 * 1024 + 1));
  const [code] = (await once(socket, 'close')) as [number];
  assert.equal(code, 1009);
  await eventually('the watch ended', () => state.open === 0);
});

const leavings = [
  { name: 'vanishes from a silent watch', chunksOf: silence, until: async () => {} },
  {
    name: 'vanishes in the middle of events',
    chunksOf: flood(1000),
    until: async (sockets: readonly WebSocket[]) => {
      await Promise.all(sockets.map((socket) => nextMessages(socket, 10)));
    },
  },
  {
    name: 'vanishes when it had not read for long',
    chunksOf: flood(200_000),
    until: async (sockets: readonly WebSocket[], sent: () => number) => {
      for (const socket of sockets) socket.pause();
      await unchanged('events', sent);
    },
  },
];

for (const { name, chunksOf, until } of leavings) {
  test(`no watch is left of a client that ${name}`, async (t) => {
    const { state, handler } = watches(chunksOf);
    await using fixture = await startListener(handler);
    // A client that reads nothing is disconnected after half a minute, which the test does not reach.
    t.mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const sockets = Array.from({ length: 3 }, () => webSocketTo(fixture, WATCH));
      await Promise.all(sockets.map((socket) => once(socket, 'open')));
      await eventually('all watches began', () => state.open === 3, { everyMs: 0 });
      await until(sockets, () => state.sent);
      for (const socket of sockets) socket.terminate();
      await eventually('all watches ended', () => state.open === 0, { everyMs: 0 });
    } finally {
      t.mock.timers.reset();
    }
    assert.deepEqual(fixture.bugs, []);
  });
}

test('who does not read holds no more than the buffers of its connection', async () => {
  const event = Buffer.from(`${'x'.repeat(100_000)}\n`);
  const { state, handler } = watches(async function* ({ cancellation }) {
    while (!cancellation.signal.aborted && state.sent < 2000) yield event;
  });
  await using fixture = await startListener(handler);
  const socket = webSocketTo(fixture, WATCH);
  await once(socket, 'open');
  socket.pause();
  const taken = await unchanged('events', () => state.sent);
  assert.ok(taken < 1000, `${taken} events went into a connection that nobody reads`);
  socket.resume();
  await nextMessages(socket, taken + 1);
  socket.terminate();
});

test('who reads nothing for half a minute is cut off', async (t) => {
  const event = Buffer.from(`${'x'.repeat(100_000)}\n`);
  const { state, handler } = watches(async function* ({ cancellation }) {
    while (!cancellation.signal.aborted) yield event;
  });
  await using fixture = await startListener(handler);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const socket = webSocketTo(fixture, WATCH);
  await once(socket, 'open');
  socket.pause();
  try {
    await unchanged('events', () => state.sent); // the buffers of the connection are full
    t.mock.timers.tick(29_999);
    await turns();
    assert.equal(state.open, 1);
    await eventually(
      'the watch ended',
      () => {
        t.mock.timers.tick(1);
        return state.open === 0;
      },
      { everyMs: 0 },
    );
  } finally {
    t.mock.timers.reset(); // also the fixture needs the time
  }
  socket.terminate();
});

test('a watch that fails ends without a goodbye, and is reported', async () => {
  // biome-ignore lint/correctness/useYield: it fails before its first event
  const { state, handler } = watches(async function* () {
    throw new Error('the store went away');
  });
  await using fixture = await startListener(handler);
  const { code } = await conversation(webSocketTo(fixture, WATCH));
  assert.equal(code, 1006);
  assert.deepEqual([state.open, fixture.bugs.length], [0, 1]);
});

test('an unsupported upgrade gets a response and the connection ends', async () => {
  await using fixture = await startListener(async () => ({
    kind: 'object',
    code: 404,
    object: { kind: 'Status', code: 404 },
  }));
  const outgoing = request(fixture.url, { ca: fixture.pki.ca.cert, headers: handshake }).end();
  const [response] = await once(outgoing, 'response');
  assert.equal(response.statusCode, 404);
  assert.equal(response.headers.connection, 'close');
  response.resume();
  await once(response, 'end');
});
