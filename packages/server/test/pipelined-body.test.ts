/** A request whose body arrives while the response before it still waits for the client to read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import { eventually } from '../../../test/harness/index.ts';
import { textResponse } from '../src/request/respond.ts';
import { type ListenerFixture, startListener } from './listener-fixture.ts';

const LIST_BYTES = 8 * 1024 * 1024;
const BODY_BYTES = 400 * 1024;

test('a body that arrives while the previous response is not read yet is answered over HTTP/1.1', async () => {
  let listed = false;
  await using fixture = await startListener(
    async (request) => {
      if (request.method === 'GET') {
        const chunk = Buffer.alloc(LIST_BYTES, 'x');
        listed = true;
        return { kind: 'bytes', code: 200, contentType: 'text/plain', chunks: [chunk] };
      }
      return textResponse(200, `read ${(await request.body()).length}`);
    },
    { bodyBytesMax: 1024 * 1024 },
  );
  await using client = await openClient(fixture);
  const { socket } = client;
  socket.write('GET /list HTTP/1.1\r\nHost: a\r\n\r\n');
  await eventually('the list is being sent', () => listed && client.received > 0);
  socket.pause();
  const head = `POST /write HTTP/1.1\r\nHost: a\r\nContent-Length: ${BODY_BYTES}\r\n\r\n`;
  socket.write(Buffer.concat([Buffer.from(head), Buffer.alloc(BODY_BYTES, 'y')]));
  socket.resume();
  await eventually(
    'the second response',
    () => client.closed || client.tail().includes(`read ${BODY_BYTES}`),
  );
  assert.ok(client.tail().includes(`read ${BODY_BYTES}`), `closed after ${client.received} bytes`);
});

interface Client extends AsyncDisposable {
  readonly socket: TLSSocket;
  readonly received: number;
  readonly closed: boolean;
  tail(): string;
}

async function openClient({ port, pki }: ListenerFixture): Promise<Client> {
  const options = { host: '127.0.0.1', port, ca: pki.ca.cert, ALPNProtocols: ['http/1.1'] };
  const socket = connect(options);
  const state = { received: 0, closed: false, last: Buffer.alloc(0) };
  socket.on('data', (chunk: Buffer) => {
    state.received += chunk.length;
    state.last = Buffer.concat([state.last, chunk]).subarray(-2048);
  });
  socket.on('error', () => undefined); // 'close' follows
  socket.on('close', () => {
    state.closed = true;
  });
  return {
    socket,
    get received() {
      return state.received;
    },
    get closed() {
      return state.closed;
    },
    tail: () => state.last.toString('latin1'),
    async [Symbol.asyncDispose]() {
      socket.destroy();
    },
  };
}
