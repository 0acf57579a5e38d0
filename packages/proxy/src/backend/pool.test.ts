import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { eventually } from '../../../../test/harness/index.ts';
import {
  connectTo,
  failureOf,
  get,
  startBackend,
  startRawBackend,
  text,
} from '../../test/backend-fixture.ts';
import { openWatches, STREAMS_MAX, startWatched } from '../../test/watched-backend.ts';

/** Of HTTP/1.1 each needs a connection of its own, with a handshake. */
const WATCHES = process.env.TRIBUTARY_FULL === '1' ? 1000 : 200;

for (const http of ['1.1', '2'] as const) {
  suite(`connections of HTTP/${http}`, () => {
    test(`${WATCHES} open watches starve neither a GET nor a probe`, async (t) => {
      const server = await startWatched(t, http);
      const { backend } = connectTo(t, [server.target]);
      const open = await openWatches(backend, WATCHES);
      const watched = http === '2' ? WATCHES / STREAMS_MAX : WATCHES;
      assert.equal(server.openConnections(), watched);
      for (const [index, use] of (['request', 'probe'] as const).entries()) {
        for (let count = 0; count < 20; count += 1) {
          assert.equal(await text(await backend.send(get('/', { use }))), 'ok');
        }
        assert.equal(server.connections(), watched + index + 1, 'one connection of its own');
      }
      assert.equal(server.openConnections(), watched + 2, 'the watches stay open');
      for (const response of open) response.cancel();
    });

    test('dropIdle closes idle connections', async (t) => {
      const server = await startWatched(t, http);
      const { backend } = connectTo(t, [server.target]);
      const watch = await backend.send(get('/watch', { use: 'watch' }));
      await text(await backend.send(get()));
      assert.equal(server.openConnections(), 2);
      const isClosed = () => {
        backend.dropIdle(); // A connection becomes idle a moment after its response was read.
        return server.openConnections() < 2;
      };
      await eventually('it is closed', isClosed);
      assert.equal(server.openConnections(), 1, 'the one with the watch stays');
      watch.cancel();
    });

    test('idle connections are closed after the idle timeout', async (t) => {
      const server = await startWatched(t, http);
      const { backend } = connectTo(t, [server.target], {
        limits: { idleTimeoutMs: 100 },
      });
      const watch = await backend.send(get('/watch', { use: 'watch' }));
      await text(await backend.send(get()));
      assert.equal(server.connections(), 2);
      await eventually('its time is over', () => server.openConnections() < 2);
      assert.equal(server.openConnections(), 1, 'the one with the watch stays');
      watch.cancel();
    });

    test('forget lets requests in flight finish; close does not', async (t) => {
      const gate = Promise.withResolvers<void>();
      const server = await startBackend(
        t,
        async (request, response) => {
          response.writeHead(200).write('a');
          if (request.url === '/open') return;
          await gate.promise;
          response.end('b');
        },
        { http },
      );
      const { backend, backends } = connectTo(t, [server.target]);
      const response = await backend.send(get());
      backends.forget(backend.server.name);
      gate.resolve();
      assert.equal(await text(response), 'ab');
      await eventually('its connections are closed', () => server.openConnections() === 0);
      const cut = await backends.of(backend.server).send(get('/open'));
      await backends.close();
      await failureOf(text(cut));
      assert.throws(() => backends.of(backend.server), { name: 'BackendFailure' });
    });
  });
}

test('requests beyond the stream limit of a connection get another connection', async (t) => {
  const all = Promise.withResolvers<void>(); // no response before the last request
  let asked = 0;
  const server = await startBackend(
    t,
    async (_, response) => {
      asked += 1;
      if (asked === 35) all.resolve();
      await all.promise;
      response.end('ok');
    },
    { settings: { maxConcurrentStreams: 10 } },
  );
  const { backend } = connectTo(t, [server.target]);
  const send = async () => text(await backend.send(get()));
  const responses = await Promise.all(Array.from({ length: 35 }, send));
  assert.ok(responses.every((response) => response === 'ok'));
  assert.equal(server.connections(), 4);
});

test('a connection without ping responses is closed, and its watch fails', async (t) => {
  const SETTINGS = '000000040000000000';
  const ACKNOWLEDGED_AND_STATUS_200 = '00000004010000000000000101040000000188';
  const server = await startRawBackend(
    t,
    (socket) => {
      socket.on('error', () => {});
      socket.write(Buffer.from(SETTINGS, 'hex'));
      onRequest(socket, () => socket.write(Buffer.from(ACKNOWLEDGED_AND_STATUS_200, 'hex')));
    },
    ['h2'],
  );
  const { backend, evidence } = connectTo(t, [server.target], {
    limits: { pingIntervalMs: 300, pingTimeoutMs: 100 },
  });
  const watch = async () => text(await backend.send(get('/', { use: 'watch' })));
  const failure = await failureOf(watch());
  assert.equal(failure.hop, 'silent', failure.message);
  assert.match(failure.message, /no response to a ping/);
  assert.equal(evidence.at(-1)?.failure, failure);
});

/** Runs once, at the first request over HTTP/2. */
function onRequest(socket: TLSSocket, run: () => void): void {
  let bytes = Buffer.alloc(0);
  let frameAt = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'.length;
  const HEAD_BYTES = 9;
  const HEADERS = 1;
  const read = (chunk: Buffer): void => {
    bytes = Buffer.concat([bytes, chunk]);
    for (
      ;
      bytes.length >= frameAt + HEAD_BYTES;
      frameAt += HEAD_BYTES + bytes.readUIntBE(frameAt, 3)
    ) {
      if (bytes[frameAt + 3] !== HEADERS) continue;
      socket.off('data', read).resume();
      run();
      return;
    }
  };
  socket.on('data', read);
}
