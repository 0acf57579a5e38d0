import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../../../../test/harness/index.ts';
import {
  CLOSES_WITHIN,
  connectTo,
  failureOf,
  get,
  startBackend,
  startRawBackend,
  text,
} from '../../test/backend-fixture.ts';
import type { BackendAnswer } from './backend.ts';

const WATCHES = 1000;
/** So long that nobody takes what was dropped for what was idle for too long. */
const IDLE_MS = 2_000;

for (const http of ['1.1', '2'] as const) {
  suite(`connections of HTTP/${http}`, () => {
    test(`${WATCHES} open watches starve neither a GET nor a probe`, async (t) => {
      const settings = { maxConcurrentStreams: 100 };
      const server = await startBackend(
        t,
        (request, response) => {
          if (request.url === '/watch') response.writeHead(200).write('{}\n');
          else response.end('ok');
        },
        { http, settings },
      );
      const { backend } = connectTo(t, [server.target]);
      const open: BackendAnswer[] = [];
      for (let round = 0; round < WATCHES / 100; round += 1) {
        const opened = Array.from({ length: 100 }, () =>
          backend.send(get('/watch', { use: 'watch' })),
        );
        open.push(...(await Promise.all(opened)));
      }
      assert.equal(server.openConnections(), http === '2' ? 10 : WATCHES);
      for (const use of ['request', 'probe'] as const) {
        await text(await backend.send(get('/', { use }))); // the first makes a connection
        const times: number[] = [];
        for (let index = 0; index < 20; index += 1) {
          const startMs = performance.now();
          await text(await backend.send(get('/', { use })));
          times.push(performance.now() - startMs);
        }
        const median = times.sort((a, b) => a - b)[10] ?? 0;
        assert.ok(median < 50, `${use}: ${median} ms`);
      }
      for (const answer of open) answer.cancel();
    });

    test('what nobody uses is closed after a time, or when it is asked for', async (t) => {
      const server = await startBackend(
        t,
        (request, response) => {
          if (request.url === '/watch') response.writeHead(200).write('{}\n');
          else response.end('ok');
        },
        { http },
      );
      const { backend } = connectTo(t, [server.target], {
        limits: { idleTimeoutMs: IDLE_MS, readConnectionsMax: 0 },
      });
      const watch = await backend.send(get('/watch', { use: 'watch' }));
      await text(await backend.send(get()));
      assert.equal(server.openConnections(), 2);
      const isClosed = () => {
        backend.dropIdle(); // One is idle a moment after its answer was read.
        return server.openConnections() < 2;
      };
      await eventually('it is closed', isClosed, { withinMs: IDLE_MS / 2 });
      assert.equal(server.openConnections(), 1, 'the one with the watch stays');
      await text(await backend.send(get()));
      assert.equal(server.openConnections(), 2);
      await eventually('its time is over', () => server.openConnections() < 2, CLOSES_WITHIN);
      assert.equal(server.openConnections(), 1, 'the one with the watch stays');
      watch.cancel();
    });

    test('forgetting lets what is under way finish; closing does not', async (t) => {
      const server = await startBackend(
        t,
        async (_, response) => {
          response.writeHead(200).write('a');
          await delay(100);
          response.end('b');
        },
        { http },
      );
      const { backend, backends } = connectTo(t, [server.target]);
      const answer = await backend.send(get());
      backends.forget(backend.registration.name);
      assert.equal(await text(answer), 'ab');
      await eventually(
        'its connections are closed',
        () => server.openConnections() === 0,
        CLOSES_WITHIN,
      );
      const cut = await backends.of(backend.registration).send(get());
      await backends.close();
      await failureOf(text(cut));
      assert.throws(() => backends.of(backend.registration), { name: 'BackendFailure' });
    });
  });
}

test('more requests at once than the server takes on one connection get another one', async (t) => {
  const server = await startBackend(
    t,
    async (_, response) => {
      await delay(100);
      response.end('ok');
    },
    { settings: { maxConcurrentStreams: 10 } },
  );
  const { backend } = connectTo(t, [server.target], { limits: { readConnectionsMax: 0 } });
  const send = async () => text(await backend.send(get()));
  const answers = await Promise.all(Array.from({ length: 35 }, send));
  assert.ok(answers.every((answer) => answer === 'ok'));
  assert.equal(server.connections(), 4);
});

test('reads move to connections of their own, which close with the others', async (t) => {
  const versions: string[] = [];
  const server = await startBackend(t, (request, response) => {
    versions.push(`${request.method} ${request.httpVersion}`);
    response.end('ok');
  });
  const { backend } = connectTo(t, [server.target], { limits: { readConnectionsMax: 1 } });
  assert.equal(await text(await backend.send(get())), 'ok');
  // The other connection is made beside the first read; until it is there, reads go on as before.
  const read = await eventually('a read over the other connection', async () => {
    const answer = await backend.send(get());
    assert.equal(await text(answer), 'ok');
    return answer.whole === undefined ? undefined : answer;
  });
  assert.equal(Buffer.from(read.whole ?? []).toString(), 'ok');
  await text(await backend.send(get('/', { method: 'POST', body: Buffer.from('{}') })));
  assert.equal(versions[0], 'GET 2.0');
  assert.deepEqual(versions.slice(-2), ['GET 1.1', 'POST 2.0']);
  const areClosed = () => {
    backend.dropIdle(); // One is idle a moment after its answer was read.
    return server.openConnections() === 0;
  };
  await eventually('all connections are closed', areClosed, CLOSES_WITHIN);
});

test('a connection that answers no ping is given up, and the watch on it fails', async (t) => {
  const SETTINGS = '000000040000000000';
  const ACKNOWLEDGED_AND_STATUS_200 = '00000004010000000000000101040000000188';
  const server = await startRawBackend(
    t,
    (socket) => {
      socket.on('error', () => {});
      socket.write(Buffer.from(SETTINGS, 'hex'));
      setTimeout(() => socket.write(Buffer.from(ACKNOWLEDGED_AND_STATUS_200, 'hex')), 100);
    },
    ['h2'],
  );
  const { backend, heard } = connectTo(t, [server.target], {
    limits: { pingIntervalMs: 300, pingTimeoutMs: 100 },
  });
  const failure = await failureOf(text(await backend.send(get('/', { use: 'watch' }))));
  assert.equal(failure.hop, 'silent', failure.message);
  assert.match(failure.message, /no answer to a ping/);
  assert.equal(heard.at(-1)?.failure, failure);
});
