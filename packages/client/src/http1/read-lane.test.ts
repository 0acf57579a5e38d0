import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import { suite, test } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import {
  createPki,
  defer,
  eventually,
  type TestScope,
  turns,
  VirtualClock,
} from '../../../../test/harness/index.ts';
import type { Endpoint, Exchange, HttpRequest, PoolLimits, RequestBody } from '../http/exchange.ts';
import { ReadLane } from './read-lane.ts';

const limits: PoolLimits = {
  connectTimeoutMs: 60_000,
  connectionsMax: 10,
  pingIntervalMs: 30_000,
  pingTimeoutMs: 15_000,
  idleTimeoutMs: 60_000,
};

/** What a server does with the n-th request on the m-th connection; the bytes of the request come as text. */
type Serve = (socket: Socket, head: string, at: { connection: number; request: number }) => void;

async function startServer(t: TestScope, serve: Serve) {
  const { server: pair, ca } = await pki;
  let connections = 0;
  const sockets = new Set<Socket>();
  const accepted: (number | undefined)[] = [];
  const server = createTlsServer(
    { cert: pair.cert, key: pair.key, ALPNProtocols: ['h2', 'http/1.1'] },
    (socket) => {
      connections += 1;
      const connection = connections;
      let request = 0;
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('data', (head) => {
        request += 1;
        serve(socket, head.toString('latin1'), { connection, request });
      });
    },
  );
  server.on('tlsClientError', () => {});
  server.on('connection', ({ remotePort }: Socket) => void accepted.push(remotePort));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  defer(t, () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  /** How many connections were dialled, those under way included: a server accepts in the order of dialling. */
  const dials = async (): Promise<number> => {
    await turns();
    const marker = connect(port, '127.0.0.1');
    await once(marker, 'connect');
    const { localPort } = marker;
    const at = await eventually('the marker is accepted', () => {
      const index = accepted.indexOf(localPort);
      return index === -1 ? undefined : index;
    });
    accepted.splice(at, 1);
    marker.destroy();
    return at;
  };
  const endpoint = endpointOf(port, ca.cert);
  return { endpoint, connections: () => connections, sockets, dials };
}

const pki = createPki();

function endpointOf(port: number, ca: string): Endpoint {
  const origin = `https://127.0.0.1:${port}`;
  return { host: '127.0.0.1', port, origin, tls: async () => ({ ca }) };
}

function get(more: Partial<HttpRequest<RequestBody>> = {}): HttpRequest<RequestBody> {
  return {
    method: 'GET',
    path: '/a?b=c',
    headers: [
      ['accept', 'a'],
      ['accept', 'b'],
    ],
    body: undefined,
    signal: new AbortController().signal,
    subject: 'GET',
    ...more,
  };
}

const OTHER = { status: 418 } as Exchange;
/** The ordinary way. */
const other = async (): Promise<Exchange> => OTHER;

/** A lane with so many connections, waited for. */
async function openLane(
  t: TestScope,
  endpoint: Endpoint,
  { max = 1, clock = new VirtualClock() } = {},
): Promise<ReadLane> {
  const lane = new ReadLane(endpoint, { ...limits, upkeepClock: clock }, max);
  defer(t, () => lane.destroy());
  await Promise.all(Array.from({ length: max }, () => lane.open(get(), other)));
  await eventually(
    () => `${max} connections, has ${lane.size}`,
    () => lane.size >= max,
  );
  assert.equal(lane.size, max);
  return lane;
}

async function lengthOf({ body }: Exchange): Promise<number> {
  let length = 0;
  for await (const chunk of body) length += chunk.length;
  return length;
}

async function textOf({ body }: Exchange): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('latin1');
}

const answer = (body: string, ...lines: string[]): string =>
  ['HTTP/1.1 200 OK', `Content-Length: ${body.length}`, ...lines, '', body].join('\r\n');

suite('connections for reads', () => {
  test('the first request goes another way, the next ones share a connection', async (t) => {
    const heads: string[] = [];
    const server = await startServer(t, (socket, head) => {
      heads.push(head);
      socket.write(answer('hello'));
    });
    const lane = new ReadLane(server.endpoint, limits, 2);
    defer(t, () => lane.destroy());
    assert.equal(await lane.open(get(), other), OTHER);
    await eventually('a connection', () => lane.size === 1);
    for (let request = 0; request < 3; request += 1) {
      let ended = 0;
      const opened = lane.open(
        get({
          onEnd: () => {
            ended += 1;
          },
        }),
        other,
      );
      const exchange = await opened;
      assert.equal(exchange.status, 200);
      assert.equal(Buffer.from(exchange.whole ?? []).toString(), 'hello');
      assert.equal(await textOf(exchange), 'hello');
      assert.equal(ended, 1);
    }
    assert.equal(server.connections(), 1);
    const host = server.endpoint.origin.slice('https://'.length);
    assert.equal(
      heads[0],
      `GET /a?b=c HTTP/1.1\r\nhost: ${host}\r\naccept: a\r\naccept: b\r\n\r\n`,
    );
  });

  test('no more connections than allowed, and never is one waited for', async (t) => {
    const server = await startServer(t, () => {}); // silent
    const lane = await openLane(t, server.endpoint, { max: 2 });
    const leave = new AbortController();
    const waiting = [0, 1].map(() => lane.open(get({ signal: leave.signal }), other));
    for (let tries = 0; tries < 5; tries += 1) {
      assert.equal(await lane.open(get(), other), OTHER);
    }
    assert.equal(await server.dials(), 2);
    assert.equal(lane.isIdle, false);
    leave.abort(new Error('left'));
    await Promise.all(waiting.map((one) => assert.rejects(one, /left/)));
  });

  test('only reads whose lines are plain', async (t) => {
    const server = await startServer(t, (socket) => void socket.write(answer('a')));
    const lane = await openLane(t, server.endpoint);
    const others: Partial<HttpRequest<RequestBody>>[] = [
      { method: 'POST', body: Buffer.from('a') },
      { method: 'DELETE' },
      { body: Buffer.from('a') },
      { path: '/a b' },
      { path: '/a\r\nx: y' },
      { path: '/ä' },
      { path: 'a' },
      { headers: [['x', 'a\r\nb: c']] },
      { headers: [['x', '\u0100']] },
      { headers: [['x', 'y'.repeat(40_000)]] },
    ];
    for (const more of others) assert.equal(await lane.open(get(more), other), OTHER);
    assert.equal((await lane.open(get({ method: 'HEAD' }), other))?.status, 200);
  });

  test('a connection that is closed while a request is on its way: the request goes another way', async (t) => {
    const server = await startServer(t, (socket, _head, { request }) => {
      if (request === 1) socket.write(answer('a'));
      else socket.destroy();
    });
    const lane = await openLane(t, server.endpoint);
    await lane.open(get(), other);
    assert.equal(await lane.open(get(), other), OTHER);
  });

  test('one that was made ahead and is closed without an answer: the same, and no more are made for a while', async (t) => {
    const server = await startServer(t, (socket) => void socket.destroy());
    const clock = new VirtualClock();
    const lane = await openLane(t, server.endpoint, { clock });
    assert.equal(await lane.open(get(), other), OTHER);
    assert.equal(await lane.open(get(), other), OTHER);
    assert.equal(await server.dials(), 1);
    assert.equal(lane.size, 0);
    await clock.advance(5000);
    assert.equal(await lane.open(get(), other), OTHER);
    assert.equal(await server.dials(), 2);
  });

  test('one that was made ahead and was closed by the time it is used', async (t) => {
    const server = await startServer(t, (socket) => void socket.write(answer('a')));
    const lane = await openLane(t, server.endpoint);
    // With TLS 1.3 a client is through with its handshake before the server.
    await eventually('the server has it', () => server.sockets.size === 1);
    for (const socket of server.sockets) socket.destroy(); // the lane has not heard of it yet
    assert.equal(await lane.open(get(), other), OTHER);
  });

  test('an answer that is cut short is not passed off as the whole', async (t) => {
    for (const part of [
      'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n',
    ]) {
      const server = await startServer(t, (socket) => void socket.write(part));
      const lane = await openLane(t, server.endpoint);
      let ended = 0;
      const exchange = await lane.open(
        get({
          onEnd: () => {
            ended += 1;
          },
        }),
        other,
      );
      assert.ok(exchange);
      assert.equal(exchange.whole, undefined);
      for (const socket of server.sockets) socket.destroy();
      await assert.rejects(textOf(exchange), /the answer was cut short/);
      assert.equal(ended, 1);
    }
  });

  test('everything until the end is the whole only when the end was said', async (t) => {
    const head = 'HTTP/1.1 200 OK\r\n\r\nall';
    const ends = await startServer(t, (socket) => void socket.end(head));
    const whole = await (await openLane(t, ends.endpoint)).open(get(), other);
    assert.ok(whole);
    assert.equal(await textOf(whole), 'all');
  });

  test('garbage is a failure that says so, and the connection is not used again', async (t) => {
    const server = await startServer(
      t,
      (socket) => void socket.write('220 mail.example.com\r\n\r\n'),
    );
    const lane = await openLane(t, server.endpoint);
    await assert.rejects(lane.open(get(), other), /does not begin with a status/);
    assert.equal(lane.size, 0);
  });

  test('something that nobody asked for ends the connection', async (t) => {
    const server = await startServer(t, (socket) => void socket.write(answer('a')));
    const lane = await openLane(t, server.endpoint);
    await lane.open(get(), other);
    for (const socket of server.sockets) socket.write(answer('forged'));
    await eventually('the connection is gone', () => lane.size === 0);
    assert.equal(await lane.open(get(), other), OTHER);
  });

  test('a slow reader slows the server', async (t) => {
    const megabyte = 'x'.repeat(1024 * 1024);
    const sent = new Map<string, number>();
    const server = await startServer(t, (socket, head) => {
      const path = head.split(' ')[1] ?? '';
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      const more = (): void => {
        const count = (sent.get(path) ?? 0) + 1;
        sent.set(path, count);
        if (count > 64) socket.write('0\r\n\r\n');
        else socket.write(`100000\r\n${megabyte}\r\n`, more);
      };
      more();
    });
    const lane = await openLane(t, server.endpoint, { max: 2 });
    const unread = await lane.open(get({ path: '/unread' }), other);
    // The server gives both the same chance: while the one takes everything, the other could.
    const read = await lane.open(get({ path: '/read' }), other);
    assert.equal(await lengthOf(read), 64 * megabyte.length);
    const unreadMiB = sent.get('/unread') ?? 0;
    assert.ok(unreadMiB < 32, `${unreadMiB} MiB were sent to nobody`);
    assert.equal(await lengthOf(unread), 64 * megabyte.length);
    const next = await lane.open(get({ path: '/next' }), other);
    assert.ok(next);
    next.cancel();
    await assert.rejects(textOf(next));
  });

  test('leaving in the middle ends the connection, leaving afterwards does not', async (t) => {
    const server = await startServer(t, (socket, head) => {
      socket.write(head.startsWith('GET /half') ? answer('half').slice(0, -1) : answer('a'));
    });
    const lane = await openLane(t, server.endpoint);
    const done = await lane.open(get(), other);
    done?.cancel();
    assert.equal(lane.size, 1);
    const half = await lane.open(get({ path: '/half' }), other);
    assert.ok(half);
    await half.body[Symbol.asyncIterator]().return?.();
    await eventually('the connection is gone', () => lane.size === 0);
  });

  test('a retired lane ends with what is under way, and makes nothing new', async (t) => {
    const arrived = Promise.withResolvers<Socket>();
    const server = await startServer(t, (socket) => arrived.resolve(socket));
    const lane = await openLane(t, server.endpoint);
    const opened = lane.open(get(), other);
    lane.retire();
    const socket = await arrived.promise;
    socket.write(answer('late'));
    const exchange = await opened;
    assert.ok(exchange);
    assert.equal(await textOf(exchange), 'late');
    await eventually('the connection is gone', () => lane.size === 0);
    assert.equal(await lane.open(get(), other), OTHER);
    assert.equal(await server.dials(), 1);
    assert.equal(lane.size, 0);
  });

  test('whoever cannot be connected to is left alone for a while', async (t) => {
    let tries = 0;
    const server = createTcpServer((socket) => {
      tries += 1;
      socket.destroy();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    defer(t, () => void server.close());
    const { ca } = await pki;
    const { port } = server.address() as { port: number };
    const clock = new VirtualClock();
    const lane = new ReadLane(endpointOf(port, ca.cert), { ...limits, upkeepClock: clock }, 1);
    defer(t, () => lane.destroy());
    let markers = 0;
    /** Closed by the server after every connection that was made before, which the lane knows then. */
    const marker = async (): Promise<void> => {
      await turns();
      markers += 1;
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      socket.resume();
      await once(socket, 'close');
      await turns();
    };
    for (let request = 0; request < 10; request += 1) {
      assert.equal(await lane.open(get(), other), OTHER);
      await marker();
    }
    assert.equal(tries - markers, 1);
    await clock.advance(5000);
    assert.equal(await lane.open(get(), other), OTHER);
    await marker();
    assert.equal(tries - markers, 2);
  });

  test('what nobody uses is closed in time', async (t) => {
    const server = await startServer(t, (socket) => void socket.write(answer('a')));
    const clock = new VirtualClock();
    const lane = await openLane(t, server.endpoint, { clock });
    await clock.advance(limits.idleTimeoutMs);
    await server.dials(); // a round trip: a connection that was closed would be known
    assert.equal(lane.size, 1);
    await clock.advance(limits.idleTimeoutMs / 2);
    await eventually('the connection is gone', () => lane.size === 0);
    assert.equal(clock.pending, 0);
  });
});
