// Flags: --expose-gc
/** Servers that write one byte at a time, or never come to their response: what clients and neighbours notice of it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpsRequestOf } from 'node:https';
import { test } from 'node:test';
import type { Status } from '@tributary/apimachinery';
import { eventually } from '../../../test/harness/index.ts';
import { connectTo, failureOf, get, startRawBackend } from '../../proxy/test/backend-fixture.ts';
import { type Behaviour, flunders, startProxy } from './proxy-fixture.ts';

const BYTES = 64 * 1024;
const CHUNKS = Buffer.from(`${'1\r\nx\r\n'.repeat(BYTES)}0\r\n\r\n`);
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n';

const oneByOne: Behaviour = ({ socket }) => {
  socket.write(HEAD);
  socket.write(CHUNKS);
};

for (const method of ['GET', 'POST']) {
  test(`a body that comes one byte at a time is passed on in few pieces, for ${method}`, async () => {
    await using fixture = await startProxy({ behaviour: oneByOne });
    // The second one goes over a connection that is kept for reads.
    for (let round = 0; round < 2; round += 1) {
      const outgoing = httpsRequestOf(fixture.url + flunders, {
        ...{ ca: fixture.pki.ca.cert, agent: false, method },
      });
      const [incoming] = await once(outgoing.end(), 'response');
      let pieces = 0;
      let bytes = 0;
      incoming.on('data', (chunk: Buffer) => {
        pieces += 1;
        bytes += chunk.length;
      });
      await once(incoming, 'end');
      assert.equal(bytes, BYTES);
      assert.ok(pieces < BYTES / 100, `${pieces} pieces`);
    }
  });
}

/** Frames of HTTP/2, written by hand: no server of a library sends such ones. */
function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

const SETTINGS = frame(4, 0, 0, Buffer.alloc(0));
const SETTINGS_TAKEN = frame(4, 1, 0, Buffer.alloc(0));
const DATA = frame(0, 0, 1, Buffer.from('x'));
const END = frame(0, 1, 1, Buffer.alloc(0));
const RESPONSE = frame(1, 4, 1, Buffer.from([0x88]));
/** `:status: 103`, not indexed. */
const EARLY_HINTS = frame(1, 4, 1, Buffer.from([0x08, 3, 0x31, 0x30, 0x33]));

test('frames of one byte over HTTP/2 are passed on in few pieces', async (t) => {
  const server = await startRawBackend(
    t,
    (socket) => {
      socket.write(SETTINGS);
      socket.once('data', () => {
        socket.write(Buffer.concat([RESPONSE, ...new Array<Buffer>(BYTES).fill(DATA), END]));
      });
      socket.on('data', () => {});
    },
    ['h2'],
  );
  const { backend } = connectTo(t, [server.target]);
  const response = await backend.send(get('/', { method: 'POST' }));
  let pieces = 0;
  let bytes = 0;
  for await (const chunk of response.body) {
    pieces += 1;
    bytes += chunk.length;
  }
  assert.equal(bytes, BYTES);
  assert.ok(pieces < BYTES / 100, `${pieces} pieces`);
});

const PING = frame(6, 0, 0, Buffer.alloc(8));

test('small pieces over HTTP/2 that nobody reads take little memory', async (t) => {
  const count = 1024 * 1024 - 1024; // the window of a stream
  const taken = Promise.withResolvers<void>();
  const server = await startRawBackend(
    t,
    (socket) => {
      socket.write(SETTINGS);
      socket.once('data', () => {
        socket.write(Buffer.concat([SETTINGS_TAKEN, RESPONSE]));
        const some = Buffer.concat(new Array<Buffer>(1024).fill(DATA));
        for (let sent = 0; sent < count; sent += 1024) socket.write(some);
        socket.write(PING);
      });
      socket.on('data', (bytes: Buffer) => {
        // The acknowledgement of a ping: everything before it was taken.
        if (bytes.indexOf(Buffer.from([0, 0, 8, 6, 1])) >= 0) taken.resolve();
      });
    },
    ['h2'],
  );
  const { backend } = connectTo(t, [server.target]);
  const response = await backend.send(get('/', { method: 'POST' }));
  const reading = response.body[Symbol.asyncIterator]();
  await reading.next();
  await taken.promise;
  const held = memory();
  response.cancel();
  assert.ok(held < 64 * MEGABYTE, `${Math.round(held / MEGABYTE)} MiB`);
});

const MEGABYTE = 1024 * 1024;

function memory(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

for (const http of ['1.1', '2'] as const) {
  for (const method of ['GET', 'POST']) {
    test(`a server that sends interim responses without end is a 503 for a ${method} over HTTP/${http}`, async () => {
      const hint = `HTTP/1.1 103 Early Hints\r\nLink: ${'a'.repeat(100)}\r\n\r\n`.repeat(100);
      await using fixture = await startProxy({
        behaviour: ({ socket }) => {
          const more = (): void => {
            while (!socket.destroyed && socket.write(hint));
          };
          socket.on('drain', more);
          more();
        },
      });
      for (let round = 0; round < 3; round += 1) {
        const response = await fixture.request(flunders, { http, method });
        assert.equal(response.status, 503);
        const { message = '' } = response.json() as Status;
        assert.match(message, /net\/http: too many 1xx informational responses/);
      }
      assert.deepEqual(fixture.bugs, []);
    });
  }
}

test('interim responses without end over HTTP/2 end the request', async (t) => {
  const server = await startRawBackend(
    t,
    (socket) => {
      socket.write(SETTINGS);
      const hints = Buffer.concat(new Array<Buffer>(1000).fill(EARLY_HINTS));
      socket.once('data', () => {
        const more = (): void => {
          while (!socket.destroyed && socket.write(hints));
        };
        socket.on('drain', more);
        more();
      });
      socket.on('data', () => {});
    },
    ['h2'],
  );
  const received: number[] = [];
  const { backend } = connectTo(t, [server.target]);
  const onInterim = (status: number) => void received.push(status);
  const failure = await failureOf(backend.send(get('/', { method: 'POST', onInterim })));
  assert.match(failure.message, /too many 1xx informational responses/);
  assert.ok(received.length > 0 && received.length <= 100, String(received.length));
});

test('what comes in small pieces with pauses between is passed on at once', async () => {
  let next: ((piece: string) => void) | undefined;
  await using fixture = await startProxy({
    behaviour: (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      next = (piece) => void response.write(piece);
      next('0');
    },
  });
  const outgoing = httpsRequestOf(`${fixture.url + flunders}?watch=true`, {
    ...{ ca: fixture.pki.ca.cert, agent: false },
  });
  const [incoming] = await once(outgoing.end(), 'response');
  let seen = '';
  incoming.on('data', (chunk: Buffer) => {
    seen += chunk;
    if (seen.length < 100) next?.('x');
  });
  await eventually('all pieces are there', () => seen.length === 100);
  outgoing.destroy();
});
