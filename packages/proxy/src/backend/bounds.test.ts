import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { MetricsRegistry } from '@tributary/server/operations';
import { eventually, VirtualClock } from '../../../../test/harness/index.ts';
import {
  connectTo,
  failureOf,
  get,
  registrationOf,
  startBackend,
  text,
  underWay,
} from '../../test/backend-fixture.ts';
import { ByteRate } from './byte-rate.ts';

suite('what one server is asked for at once', () => {
  const limits = [
    { use: 'request', limits: { requestsInFlightMax: 2 }, label: 'requests', retryAfterSeconds: 1 },
    { use: 'watch', limits: { watchesMax: 2 }, label: 'watches', retryAfterSeconds: 5 },
  ] as const;
  for (const { use, limits: bound, label, retryAfterSeconds } of limits) {
    test(`more ${label} than the limit are rejected, and other requests are forwarded`, async (t) => {
      const server = await startBackend(
        t,
        (_, response) => void response.writeHead(200).write('a'),
      );
      const { backend, backends, metrics, evidence } = connectTo(t, [server.target], {
        remote: { limits: bound },
      });
      const registry = new MetricsRegistry();
      metrics.register(registry);
      const open = [await backend.send(get('/', { use })), await backend.send(get('/', { use }))];
      const failure = await failureOf(backend.send(get('/', { use })));
      assert.equal(failure.hop, 'busy');
      assert.equal(failure.retryAfterSeconds, retryAfterSeconds);
      assert.equal(failure.maybeProcessed, false);
      const figures = registry.text();
      const name = 'apiservice="v1.wardle.example.com"';
      assert.ok(figures.includes(`tributary_backend_rejected_total{${name},limit="${label}"} 1\n`));
      const gauge = use === 'watch' ? 'watches' : 'requests_in_flight';
      assert.ok(figures.includes(`tributary_backend_${gauge}{${name}} 2\n`), figures);
      assert.ok(
        figures.includes(`tributary_backend_connections{${name},protocol="h2"} 1\n`),
        figures,
      );
      assert.ok(evidence.every((evidence) => evidence.failure === undefined));
      for (const free of ['probe', use === 'watch' ? 'request' : 'watch'] as const) {
        (await backend.send(get('/', { use: free }))).cancel();
      }
      const more = backends.of(
        registrationOf({ limits: { requestsInFlightMax: 3, watchesMax: 3 } }),
      );
      open.push(await more.send(get('/', { use })));
      for (const response of open) response.cancel();
      await eventually('all places are free', () => underWay(metrics, gauge) === 0);
      const again = backends.of(registrationOf({ limits: bound }));
      (await again.send(get('/', { use }))).cancel();
      const after = new MetricsRegistry();
      backends.forget('v1.wardle.example.com');
      metrics.register(after);
      assert.doesNotMatch(
        after.text(),
        /tributary_backend_watches\{/,
        'what is gone has no figures',
      );
    });
  }

  test('the limit on requests in flight counts no request that has ended, however it ended', async (t) => {
    const server = await startBackend(t, async (request, response) => {
      if (request.url === '/cut') server.cutAll();
      else if (request.url === '/whole') response.end('ok');
      else response.writeHead(200).write('some');
    });
    const { backend, metrics } = connectTo(t, [server.target], {
      remote: { limits: { requestsInFlightMax: 1 } },
    });
    const aborting = new AbortController();
    const ends: (() => Promise<unknown>)[] = [
      async () => text(await backend.send(get('/whole'))),
      async () => (await backend.send(get('/open'))).cancel(),
      async () => {
        await backend.send(get('/open', { signal: aborting.signal }));
        aborting.abort(new Error('gone'));
      },
      () => failureOf(backend.send(get('/cut', { method: 'PUT' }))),
      async () => {
        const response = await backend.send(get('/open'));
        for await (const _ of response.body) break;
      },
      () => assert.rejects(backend.send(get('/', { signal: AbortSignal.abort(new Error('no')) }))),
    ];
    for (const end of [...ends, ...ends.slice(0, 2)]) {
      await end();
      await eventually('its place is free', () => underWay(metrics, 'requests_in_flight') === 0);
    }
    assert.equal(await text(await backend.send(get('/whole'))), 'ok');
  });
});

suite('how fast responses are read', () => {
  test('ByteRate limits bytes per second, of which one second may be saved up', async () => {
    const clock = new VirtualClock();
    const rate = new ByteRate(1000, clock);
    assert.equal(rate.debtSeconds, 0);
    rate.take(1000);
    assert.equal(rate.debtSeconds, 0);
    rate.take(2000);
    assert.equal(rate.debtSeconds, 2);
    await clock.advance(500);
    assert.equal(rate.debtSeconds, 1.5);
    rate.bytesPerSecond = 3000;
    assert.equal(rate.debtSeconds, 0.5);
    await clock.advance(60_000);
    rate.take(3000);
    assert.equal(rate.debtSeconds, 0, 'no more than one second is saved up');
  });

  test('a limit on bytes slows the reading of responses, but not of probes', async (t) => {
    const clock = new VirtualClock();
    const server = await startBackend(t, (_, response) => void response.end('x'.repeat(200_000)));
    const { backend } = connectTo(t, [server.target], {
      clock,
      remote: { limits: { bytesPerSecondMax: 100_000 } },
    });
    const startMs = clock.nowMs();
    let read: string | undefined;
    const reading = text(await backend.send(get())).then((whole) => {
      read = whole;
    });
    const isPausedOrDone = () => clock.pending > 0 || read !== undefined;
    while (read === undefined) {
      await eventually('a pause, or the end', isPausedOrDone, { everyMs: 0 });
      await clock.advance(10);
    }
    await reading;
    assert.equal(read.length, 200_000);
    // A second's worth was saved up; the last chunk is read before it is paid for.
    const pausedMs = clock.nowMs() - startMs;
    assert.ok(pausedMs > 300 && pausedMs <= 1_010, `${pausedMs} ms`);
    // Debts are left, and the clock stands still.
    const probed = await text(await backend.send(get('/', { use: 'probe' })));
    assert.equal(probed.length, 200_000);
  });

  test('requests are rejected while the byte limit is exceeded by seconds', async (t) => {
    const clock = new VirtualClock();
    const server = await startBackend(t, (_, response) => void response.end('x'.repeat(10_000)));
    const { backend, backends } = connectTo(t, [server.target], {
      clock,
      remote: { limits: { bytesPerSecondMax: 1000 } },
    });
    const response = await backend.send(get());
    const [first] = [await response.body[Symbol.asyncIterator]().next()];
    assert.equal(first?.value.length, 10_000);
    const failure = await failureOf(backend.send(get()));
    assert.equal(failure.hop, 'busy');
    assert.equal(failure.retryAfterSeconds, 9);
    await clock.advance(6000);
    (await backend.send(get())).cancel();
    const unlimited = backends.of(registrationOf());
    assert.equal((await text(await unlimited.send(get()))).length, 10_000);
  });
});

test('requests beyond the limit per second are rejected, probes are not', async (t) => {
  const clock = new VirtualClock();
  const server = await startBackend(t, (_, response) => void response.end('a'));
  const remote = { limits: { requestsPerSecondMax: 3 } };
  const { backend, backends, metrics } = connectTo(t, [server.target], { clock, remote });
  const ask = (use: 'request' | 'watch' | 'probe' = 'request') =>
    backend.send(get('/', { use })).then(text);
  for (const use of ['request', 'watch', 'request'] as const) await ask(use);
  const failure = await failureOf(ask());
  assert.equal(failure.hop, 'busy');
  assert.equal(failure.retryAfterSeconds, 1);
  assert.match(failure.message, /more than 3 requests per second/);
  await ask('probe');
  await clock.advance(400);
  await ask();
  await failureOf(ask());
  const registry = new MetricsRegistry();
  metrics.register(registry);
  const name = 'apiservice="v1.wardle.example.com"';
  assert.ok(registry.text().includes(`tributary_backend_rejected_total{${name},limit="rate"} 2\n`));
  const unbounded = backends.of(registrationOf());
  for (let count = 0; count < 10; count += 1) await unbounded.send(get('/')).then(text);
});
