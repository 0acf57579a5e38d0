/** Connections that leave HTTP, through a real server in front: WebSocket by our library, and raw bytes. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect as connectTcp, type Socket } from 'node:net';
import { test } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import type { Status } from '@tributary/apimachinery';
import { acceptWebSocket, createServer } from '@tributary/server';
import { openMemoryStorage } from '@tributary/storage';
import { WebSocket } from 'ws';
import { createPki, eventually } from '../../../test/harness/index.ts';
import { untilUnchanged } from '../../proxy/test/until-unchanged.ts';
import { HELD_MS, heldClock } from './held-clock.ts';
import { admin, backendsAt, flunders, type ProxyFixture, startProxy } from './proxy-fixture.ts';

const LENGTH = 10 * 1024 * 1024;
const exec = `${flunders}/a/exec`;

type Talk = (socket: Socket, request: IncomingMessage, head: Buffer) => void;

async function startTalk(talk: Talk, more: Parameters<typeof startProxy>[0] = {}) {
  const fixture = await startProxy(more);
  fixture.backend.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => {});
    socket.write(
      'HTTP/1.1 101 Custom Words\r\nConnection: Upgrade\r\nUpgrade: raw\r\nX-A: 1\r\n\r\n',
    );
    talk(socket, request, head);
  });
  return fixture;
}

/** A client that writes its request itself; `early` comes with it. */
async function open({ url, pki }: ProxyFixture, early = '', raw?: Socket): Promise<TLSSocket> {
  const { port } = new URL(url);
  const socket = connect({
    port: Number(port),
    host: '127.0.0.1',
    ca: pki.ca.cert,
    ALPNProtocols: ['http/1.1'],
    ...(raw && { socket: raw }),
  });
  socket.allowHalfOpen = true;
  await once(socket, 'secureConnect');
  socket.write(
    `POST ${exec}?x=1 HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: raw\r\n` +
      `X-Remote-User: root\r\nContent-Length: 0\r\n\r\n${early}`,
  );
  return socket;
}

/** Everything up to the empty line, and what came behind it. */
async function readHead(socket: TLSSocket): Promise<{ head: string; rest: Buffer }> {
  let text = Buffer.alloc(0);
  while (!text.includes('\r\n\r\n')) {
    const chunk = socket.read() as Buffer | null;
    if (chunk !== null) text = Buffer.concat([text, chunk]);
    else if (socket.readableEnded) throw new Error(`ended within the head: ${text}`);
    else await Promise.race([once(socket, 'readable'), once(socket, 'end')]);
  }
  const end = text.indexOf('\r\n\r\n') + 4;
  socket.removeAllListeners('readable');
  return { head: text.subarray(0, end).toString('latin1'), rest: text.subarray(end) };
}

async function readAll(socket: Socket, first?: Buffer): Promise<Buffer> {
  const chunks = first === undefined ? [] : [first];
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test('the words of the server, what was sent ahead, and who asks, go on as they are', async () => {
  const received = Promise.withResolvers<{ request: IncomingMessage; early: string }>();
  await using fixture = await startTalk((socket, request, head) => {
    let early = head.toString();
    socket.on('data', (chunk) => {
      early += chunk;
      if (early === 'early bytes') received.resolve({ request, early });
    });
  });
  const socket = await open(fixture, 'early bytes');
  const { head } = await readHead(socket);
  assert.equal(
    head,
    'HTTP/1.1 101 Custom Words\r\nConnection: Upgrade\r\nUpgrade: raw\r\nX-A: 1\r\n\r\n',
  );
  const { request } = await received.promise;
  assert.equal(request.url, `${exec}?x=1`);
  assert.equal(request.headers['x-remote-user'], 'admin');
  assert.equal(request.headers['x-forwarded-for'], '127.0.0.1');
  assert.equal(request.headers['x-forwarded-uri'], undefined);
  assert.equal(request.headers.upgrade, 'raw');
  socket.destroy();
});

test('10 MiB go both ways, and a client that has ended its half still hears the rest', async () => {
  await using fixture = await startTalk((socket, _, head) => {
    socket.allowHalfOpen = true;
    // Nothing is said before the client has said everything.
    void readAll(socket, head).then((all) => socket.end(all));
  });
  const socket = await open(fixture);
  const { rest } = await readHead(socket);
  const bytes = randomBytes(LENGTH);
  socket.end(bytes);
  const response = await readAll(socket, rest);
  assert.ok(response.equals(bytes), `${response.length} bytes came`);
  await closedEverywhere(fixture);
});

test('a server that has ended its half still hears the client', async () => {
  const bytes = randomBytes(LENGTH);
  const received: Buffer[] = [];
  const receivedBytes = () => received.reduce((sum, { length }) => sum + length, 0);
  const ended = Promise.withResolvers<void>();
  await using fixture = await startTalk((socket, _, head) => {
    socket.allowHalfOpen = true;
    socket.end(bytes);
    received.push(head);
    socket.on('data', (chunk: Buffer) => received.push(chunk)).on('end', ended.resolve);
  });
  const socket = await open(fixture);
  const { rest } = await readHead(socket);
  assert.ok((await readAll(socket, rest)).equals(bytes));
  socket.write(bytes.subarray(0, LENGTH / 2));
  await eventually('the first half has come', () => receivedBytes() === LENGTH / 2);
  socket.end(bytes.subarray(LENGTH / 2));
  await ended.promise;
  assert.ok(Buffer.concat(received).equals(bytes));
  await closedEverywhere(fixture);
});

test('a client that is cut off takes the connection to the server with it', async () => {
  const gone = Promise.withResolvers<void>();
  await using fixture = await startTalk((socket) => {
    // It would go on for ever, and does not close by itself.
    socket.allowHalfOpen = true;
    socket.resume().on('close', gone.resolve);
    const timer = setInterval(() => socket.write('x'), 5);
    socket.on('close', () => clearInterval(timer));
  });
  const raw = connectTcp(Number(new URL(fixture.url).port), '127.0.0.1');
  const socket = await open(fixture, '', raw);
  await readHead(socket);
  socket.on('error', () => {});
  raw.resetAndDestroy();
  await gone.promise;
  await closedEverywhere(fixture);
});

test('a server that is gone ends the connection of the client', async () => {
  const server = Promise.withResolvers<Socket>();
  await using fixture = await startTalk((socket) => server.resolve(socket));
  const socket = await open(fixture);
  await readHead(socket);
  (await server.promise).destroy();
  socket.resume().on('error', () => {});
  if (!socket.readableEnded) await Promise.race([once(socket, 'end'), once(socket, 'close')]);
  socket.end();
  await closedEverywhere(fixture);
});

test('whoever reads nothing is not written for', async () => {
  let sent = 0;
  await using fixture = await startTalk((socket) => {
    const more = () => {
      while (!socket.destroyed && socket.write(Buffer.alloc(64 * 1024))) sent += 64;
      sent += 64;
    };
    socket.on('drain', more);
    more();
  });
  const socket = await open(fixture);
  await readHead(socket);
  await untilUnchanged(
    () => sent,
    () => fixture.request(flunders),
  );
  assert.ok(sent > 0 && sent < 32 * 1024, `${sent} KiB`);
  socket.destroy();
});

test('an idle connection outlives the time of requests, and ends when the server stops', async () => {
  const clock = heldClock();
  const silent = Promise.withResolvers<void>();
  await using fixture = await startTalk(
    (socket) => {
      socket.on('data', () => socket.write('pong'));
    },
    {
      behaviour: () => silent.resolve(),
      config: {
        clock,
        requestTimeoutMs: HELD_MS,
        shutdown: { watchGraceMs: 100, drainMs: 60_000 },
      },
    },
  );
  const socket = await open(fixture);
  await readHead(socket);
  const requesting = fixture.request(flunders);
  await silent.promise;
  clock.fire();
  assert.equal((await requesting).status, 504, 'the time of requests is over');
  socket.write('ping');
  const [response] = await once(socket, 'data');
  assert.equal(String(response), 'pong');
  const ended = once(socket, 'end');
  const closing = fixture.closeFront();
  await ended;
  socket.end();
  await closing;
});

const responses = [
  { name: 'a refusal goes on', code: 403, want: 403, message: /no, thanks/ },
  {
    name: 'a plain answer',
    code: 200,
    want: 503,
    message: /invalid upgrade response: status code 200/,
  },
  {
    name: 'a redirect',
    code: 302,
    want: 503,
    message: /invalid upgrade response: status code 302/,
  },
];
for (const { name, code, want, message } of responses) {
  test(`an answer in place of an upgrade: ${name}`, async () => {
    await using fixture = await startProxy({
      behaviour: (_, response) => {
        response.writeHead(code, { 'content-type': 'text/plain', location: '/x' });
        response.end('no, thanks');
      },
    });
    const socket = await open(fixture);
    const response = String(await readAll(socket));
    assert.ok(response.startsWith(`HTTP/1.1 ${want} `), response);
    assert.match(response, message);
    assert.deepEqual(fixture.bugs, []);
  });
}

test('an upgrade with a body is refused in words', async () => {
  await using fixture = await startProxy();
  const { port } = new URL(fixture.url);
  const socket = connect({ port: Number(port), host: '127.0.0.1', ca: fixture.pki.ca.cert });
  socket.write(
    `POST ${exec} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: raw\r\nContent-Length: 2\r\n\r\n{}`,
  );
  const response = String(await readAll(socket));
  assert.match(response, /^HTTP\/1.1 503 /);
  assert.match(response, /an upgrade needs HTTP\/1.1 and a request without a body/);
});

test('a server that cannot be reached is a Status, also for an upgrade', async () => {
  await using fixture = await startProxy({ backends: backendsAt(1) });
  const socket = await open(fixture);
  const response = String(await readAll(socket));
  const status = JSON.parse(response.slice(response.indexOf('\r\n\r\n'))) as Status;
  assert.equal(status.code, 503);
  assert.match(status.message ?? '', /^error trying to reach service: /);
});

test('a WebSocket of our library echoes 10 MiB through the proxy', async () => {
  await using behind = await startEcho();
  await using fixture = await startProxy({ backends: behind.backends, pki: behind.pki });
  const socket = new WebSocket(`${fixture.url.replace('https:', 'wss:')}${exec}`, {
    ca: fixture.pki.ca.cert,
    perMessageDeflate: false,
  });
  await once(socket, 'open');
  const bytes = randomBytes(LENGTH);
  const back: Buffer[] = [];
  let length = 0;
  const complete = new Promise<void>((resolve) => {
    socket.on('message', (data: Buffer) => {
      back.push(data);
      length += data.length;
      if (length === LENGTH) resolve();
    });
  });
  for (let at = 0; at < LENGTH; at += 256 * 1024) socket.send(bytes.subarray(at, at + 256 * 1024));
  await complete;
  assert.ok(Buffer.concat(back).equals(bytes));
  socket.close(1000);
  const [code] = await once(socket, 'close');
  assert.equal(code, 1000);
  assert.deepEqual(fixture.bugs, []);
});

/** An extension server of our own library. */
async function startEcho() {
  const pki = createPki();
  const storage = openMemoryStorage();
  const server = await createServer([], {
    storage,
    serving: pki.server,
    authenticator: () => ({ outcome: 'authenticated', user: admin }),
    routes: [
      (request) =>
        acceptWebSocket(request, {
          serve: async (channel) => {
            for await (const { data } of channel) await channel.send(data);
          },
        }),
    ],
  }).listen();
  return {
    backends: backendsAt(server.port),
    pki,
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await storage.close();
    },
  };
}

async function closedEverywhere({ backend, bugs }: ProxyFixture): Promise<void> {
  const count = () =>
    new Promise<number>((resolve) => backend.getConnections((_, number) => resolve(number)));
  await eventually('the connection to the server is closed', async () => (await count()) === 0);
  assert.deepEqual(bugs, []);
}
