import assert from 'node:assert/strict';
import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { PassThrough } from 'node:stream';
import { suite, test } from 'node:test';
import { MetricsRegistry } from '@tributary/server/operations';
import { eventually, freePort, turns } from '../../../../test/harness/index.ts';
import {
  connectTo,
  failureOf,
  get,
  SERVER_NAME,
  startBackend,
  startRawBackend,
  text,
} from '../../test/backend-fixture.ts';
import { type BackendRequest, ProbeTimeout } from './backend.ts';
import { chooseTarget } from './choose-target.ts';
import type { PooledTarget } from './pooled-target.ts';

function pooled(name: string, request = 0, avoidedUntilMs = 0): PooledTarget {
  const target = { host: name, port: 1, serverName: name };
  const inFlight = { request, watch: 0, probe: 0 };
  const waiting = new Set<never>();
  return { target, inFlight, waiting, avoidedUntilMs, connections: {}, endpoint: {} as never };
}

const choices = [
  { name: 'the only target', targets: [pooled('a', 9, 2000)], want: 'a' },
  {
    name: 'the target with the fewest requests',
    targets: [pooled('a', 2), pooled('b', 1)],
    want: 'b',
  },
  {
    name: 'of equal targets, from a random one on',
    targets: [pooled('a'), pooled('b')],
    random: 0.5,
    want: 'b',
  },
  {
    name: 'no target that just failed',
    targets: [pooled('a', 0, 2000), pooled('b', 9)],
    want: 'b',
  },
  {
    name: 'a target that just failed, if all did',
    targets: [pooled('a', 1, 2000), pooled('b', 0, 2000)],
    want: 'b',
  },
  {
    name: 'a target that failed long ago',
    targets: [pooled('a', 0, 900), pooled('b', 9)],
    want: 'a',
  },
];
suite('who is asked', () => {
  for (const { name, targets, random = 0, want } of choices) {
    test(name, () => {
      const options = { use: 'request' as const, nowMs: 1000, random: () => random };
      assert.equal(chooseTarget(targets, options)?.target.host, want);
    });
  }

  test('chooseTarget never returns the excepted target', () => {
    const [a, b] = [pooled('a'), pooled('b', 5)];
    const options = { use: 'request' as const, nowMs: 0, random: () => 0, except: a };
    assert.equal(chooseTarget([a, b], options), b);
    assert.equal(chooseTarget([a], options), undefined);
  });

  test('concurrent requests are spread evenly over targets', async (t) => {
    const counts = [0, 0, 0];
    const all = Promise.withResolvers<void>(); // no response before the last request
    const servers = await Promise.all(
      counts.map((_, index) =>
        startBackend(t, async (_request, response) => {
          counts[index] = (counts[index] ?? 0) + 1;
          if (counts.reduce((sum, count) => sum + count) === 30) all.resolve();
          await all.promise;
          response.end();
        }),
      ),
    );
    const { backend } = connectTo(
      t,
      servers.map(({ target }) => target),
    );
    const send = async () => text(await backend.send(get()));
    await Promise.all(Array.from({ length: 30 }, send));
    assert.deepEqual(counts, [10, 10, 10]);
  });

  test('a target that is no longer ready gets no requests, and its connections close', async (t) => {
    const names = ['a', 'b'];
    const [a, b] = await Promise.all(
      names.map((name) => startBackend(t, (_, response) => void response.end(name))),
    );
    assert.ok(a && b);
    let targets = [a.target];
    const { backend } = connectTo(t, () => ({ targets }));
    assert.equal(await text(await backend.send(get())), 'a');
    targets = [b.target];
    assert.equal(await text(await backend.send(get())), 'b');
    await eventually('its connections are closed', () => a.openConnections() === 0);
  });

  test('a request without a ready target fails with the reason', async (t) => {
    const problem = {
      status: 'False',
      reason: 'EndpointsNotFound',
      message: 'no endpoints',
    } as const;
    const { backend, evidence } = connectTo(t, () => ({ problem }));
    const failure = await failureOf(backend.send(get()));
    assert.equal(failure.hop, 'target');
    assert.equal(failure.message, 'no endpoints');
    assert.deepEqual(evidence, []);
  });
});

/** The first of two servers fails in this way; the second may get the request. */
const READ: Partial<BackendRequest> = {};
const POST = { method: 'POST', body: Buffer.from('x') };
const moved: {
  name: string;
  first: 'dead' | 'cut' | 'refuse';
  request: () => Partial<BackendRequest>;
  retried: boolean;
}[] = [
  { name: 'a read, closed port', first: 'dead', request: () => READ, retried: true },
  { name: 'a write, closed port', first: 'dead', request: () => POST, retried: true },
  {
    name: 'an unread stream, closed port',
    first: 'dead',
    request: () => ({ method: 'POST', body: new PassThrough().end('x') }),
    retried: true,
  },
  { name: 'a read, cut off', first: 'cut', request: () => READ, retried: true },
  { name: 'OPTIONS, cut off', first: 'cut', request: () => ({ method: 'OPTIONS' }), retried: true },
  { name: 'a watch, cut off', first: 'cut', request: () => ({ use: 'watch' }), retried: true },
  { name: 'a write, cut off', first: 'cut', request: () => POST, retried: false },
  {
    name: 'a delete without a body, cut off',
    first: 'cut',
    request: () => ({ method: 'DELETE' }),
    retried: false,
  },
  { name: 'a write, certainly not processed', first: 'refuse', request: () => POST, retried: true },
  {
    name: 'a stream that was read from, not processed',
    first: 'refuse',
    request: () => ({ method: 'POST', body: new PassThrough().end('x') }),
    retried: false,
  },
];
suite('sent once more, to another', () => {
  for (const { name, first, request, retried } of moved) {
    test(`${retried ? 'yes' : 'no'}: ${name}`, async (t) => {
      let asked = 0;
      const bad = await startBackend(t, (incoming, response) => {
        asked += 1;
        const { stream } = incoming as unknown as { stream: ServerHttp2Stream };
        if (first === 'refuse') stream.close(constants.NGHTTP2_REFUSED_STREAM);
        else response.socket?.destroy();
        if (first === 'cut') bad.cutAll();
      });
      const good = await startBackend(t, async (incoming, response) => {
        for await (const _ of incoming);
        response.end('good');
      });
      const dead = { host: '127.0.0.1', port: await freePort(), serverName: SERVER_NAME };
      const targets = [first === 'dead' ? dead : bad.target, good.target];
      const { backend, evidence, metrics } = connectTo(t, targets, { random: () => 0 });
      const registry = new MetricsRegistry();
      metrics.register(registry);
      const sending = backend.send(get('/', request()));
      if (!retried) {
        const failure = await failureOf(sending);
        assert.equal(failure.hop, 'reset', failure.message);
        assert.equal(failure.maybeProcessed, first === 'cut');
        assert.equal(asked, 1);
        assert.equal(evidence.at(-1)?.failure, failure);
        return;
      }
      assert.equal(await text(await sending), 'good');
      assert.deepEqual(evidence, [{ failure: undefined, target: good.target }]);
      assert.match(registry.text(), /tributary_backend_retries_total\{apiservice="[^"]+"\} 1\n/);
    });
  }

  test('a target that refused a connection is avoided for a while', async (t) => {
    const good = await startBackend(t, (_, response) => void response.end());
    const dead = { host: '127.0.0.1', port: await freePort(), serverName: SERVER_NAME };
    const { backend, metrics } = connectTo(t, [dead, good.target], { random: () => 0 });
    const registry = new MetricsRegistry();
    metrics.register(registry);
    for (let index = 0; index < 10; index += 1) await text(await backend.send(get()));
    assert.match(registry.text(), /tributary_backend_retries_total\{[^}]+\} 1\n/);
  });
});

for (const http of ['1.1', '2'] as const) {
  test(`reads over HTTP/${http} that wait for a frozen target are sent to another one`, async (t) => {
    const held: string[] = [];
    const release = Promise.withResolvers<void>();
    const frozen = await startBackend(
      t,
      async ({ method = '' }, response) => {
        held.push(method);
        await release.promise;
        response.end('late');
      },
      { http },
    );
    const other = await startBackend(t, (_, response) => void response.end('other'), { http });
    const { backend, evidence } = connectTo(t, [frozen.target, other.target], { random: () => 0 });
    const reads = [backend.send(get()).then(text)];
    await eventually('the read is there', () => held.length === 1);
    const stop = new AbortController();
    // A second request at once would go to the other one.
    const probe = backend.send(get('/', { use: 'probe', signal: stop.signal }));
    await eventually('the probe is there', () => held.length === 2);
    stop.abort(new ProbeTimeout());
    await assert.rejects(probe);
    assert.deepEqual(await Promise.all(reads), ['other']);
    // It is avoided for a while, though it is idle.
    assert.equal(await backend.send(get()).then(text), 'other');
    release.resolve();
    assert.deepEqual(
      evidence.map(({ failure }) => failure),
      [undefined, undefined],
    );
  });
}

suite('one server alone', () => {
  test('a read is retried when its kept HTTP/1.1 connection was closed', async (t) => {
    let responses = 0;
    const server = await startRawBackend(t, (socket) => {
      let served = 0;
      socket.on('error', () => {});
      socket.on('data', () => {
        served += 1;
        // The second request on a connection finds it dying.
        if (served > 1) {
          socket.destroy();
          return;
        }
        responses += 1;
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
      });
    });
    const { backend } = connectTo(t, [server.target]);
    assert.equal(await text(await backend.send(get())), 'ok');
    await turns();
    assert.equal(await text(await backend.send(get())), 'ok');
    assert.equal(responses, 2);
    await turns();
    const failure = await failureOf(backend.send(get('/', POST)));
    assert.equal(failure.maybeProcessed, true);
  });

  test('GOAWAY moves requests that were not processed to a new connection', async (t) => {
    const sessions: ServerHttp2Session[] = [];
    const server = await startBackend(t, (_, response) => void response.end('ok'));
    server.server.on('session', (session: ServerHttp2Session) => {
      sessions.push(session);
      session.on('error', () => {});
    });
    const { backend } = connectTo(t, [server.target]);
    await text(await backend.send(get()));
    sessions[0]?.goaway(0);
    for (let index = 0; index < 20; index += 1) {
      assert.equal(await text(await backend.send(get('/', POST))), 'ok');
    }
    assert.equal(sessions.length, 2);
  });

  test('a refused connection is not retried at once', async (t) => {
    const target = { host: '127.0.0.1', port: await freePort(), serverName: SERVER_NAME };
    const { backend, metrics } = connectTo(t, [target]);
    const registry = new MetricsRegistry();
    metrics.register(registry);
    await failureOf(backend.send(get()));
    assert.doesNotMatch(registry.text(), /retries_total\{/);
  });
});
