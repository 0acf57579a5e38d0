import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { notFound, StatusError } from '@tributary/apimachinery';
import {
  defer,
  eventually,
  eventuallySucceeds,
  freePort,
  type TestScope,
  temporaryDirectory,
  turns,
  VirtualClock,
} from '../../../test/harness/index.ts';
import {
  createTransport,
  type Transport,
  TransportError,
  type TransportOptions,
} from '../src/index.ts';
import { startTcpProxy } from './tcp-proxy.ts';
import {
  startTestServer,
  type TestHandler,
  type TestServer,
  type TestServerOptions,
} from './test-server.ts';

interface Pair {
  readonly server: TestServer;
  readonly transport: Transport;
}

async function startPair(
  t: TestScope,
  handler: TestHandler,
  options: TestServerOptions & { transport?: TransportOptions } = {},
): Promise<Pair> {
  const server = await startTestServer(t, handler, options);
  const transport = createTransport(server.config, options.transport);
  defer(t, () => transport.close());
  return { server, transport };
}

for (const http of ['1.1', '2'] as const) {
  suite(`HTTP/${http}`, () => {
    test('an answer that is there before anybody reads it is whole', async (t) => {
      const text = 'x'.repeat(1000);
      const closed = Promise.withResolvers<void>();
      const { transport } = await startPair(
        t,
        async (_request, answer) => {
          answer.send(200, text);
          await answer.closed;
          closed.resolve();
        },
        { http },
      );
      const stream = await transport.stream('GET', '/early');
      await closed.promise;
      await transport.request('GET', '/later'); // behind it, everything of the first has arrived
      await turns();
      let read = '';
      for await (const chunk of stream.body) read += Buffer.from(chunk).toString();
      assert.equal(read, text);
    });

    test('a request carries method, path, query, headers and body, and gives the answer', async (t) => {
      const { transport } = await startPair(
        t,
        async (request, answer) => {
          const { method, path, query, headers } = request;
          const seen = { method, path, query: [...query], type: headers['content-type'] };
          answer.send(201, { ...seen, body: await request.body() }, { 'x-answer': 'yes' });
        },
        { http },
      );
      const response = await transport.request('POST', '/api/v1/things', {
        query: { dryRun: 'All', limit: 5, watch: false, absent: undefined, label: 'a=b,c' },
        headers: { 'Content-Type': 'application/json' },
        body: '{"a":1}',
      });
      assert.equal(response.status, 201);
      assert.equal(response.httpVersion, http);
      assert.equal(response.headers['x-answer'], 'yes');
      assert.deepEqual(JSON.parse(response.body.toString()), {
        method: 'POST',
        path: '/api/v1/things',
        query: [
          ['dryRun', 'All'],
          ['limit', '5'],
          ['watch', 'false'],
          ['label', 'a=b,c'],
        ],
        type: 'application/json',
        body: '{"a":1}',
      });
    });

    test('one connection serves one request after the other', async (t) => {
      const { server, transport } = await startPair(t, (_, answer) => answer.send(200, {}), {
        http,
      });
      for (let index = 0; index < 5; index += 1) await transport.request('GET', '/');
      assert.equal(server.connections(), 1);
    });

    test('a Status in the answer is thrown as it is', async (t) => {
      const error = notFound({ group: 'apps', resource: 'deployments' }, 'web');
      const { server, transport } = await startPair(
        t,
        (_, answer) => answer.send(404, error.status),
        { http },
      );
      await assert.rejects(transport.request('GET', '/x'), (thrown) => {
        assert.ok(thrown instanceof StatusError);
        assert.deepEqual(thrown.status, error.status);
        return true;
      });
      await assert.rejects(transport.stream('GET', '/x'), { reason: 'NotFound' });
      assert.equal(server.connections(), 1);
    });

    test('an answer that is cut short is an error, never a short answer', async (t) => {
      const cuts: ('cut' | 'cutConnection')[] = ['cut', 'cutConnection'];
      for (const how of cuts) {
        const { transport } = await startPair(
          t,
          async (_, answer) => {
            answer.start(200);
            answer.write('{"items":[1,2');
            await answer.delivered();
            answer[how]();
          },
          { http },
        );
        const failure = { name: 'TransportError', message: /cut short/ };
        await assert.rejects(transport.request('GET', '/x', { retriesMax: 0 }), failure, how);
        const stream = await transport.stream('GET', '/x');
        await assert.rejects(readAll(stream.body), failure, how);
      }
    });

    test('a stream gives pieces as they come, and can be left', async (t) => {
      const left = Promise.withResolvers<void>();
      const { transport } = await startPair(
        t,
        async (_, answer) => {
          answer.start(200);
          answer.write('one\n');
          await answer.closed;
          left.resolve();
        },
        { http },
      );
      const stream = await transport.stream('GET', '/watch');
      for await (const chunk of stream.body) {
        assert.equal(Buffer.from(chunk).toString(), 'one\n');
        break;
      }
      await left.promise;
    });

    test('a slow reader slows the server', async (t) => {
      const chunk = Buffer.alloc(256 * 1024);
      const chunksMax = 200;
      const written: Record<string, number> = { '/unread': 0, '/read': 0 };
      const { server, transport } = await startPair(
        t,
        async ({ path }, answer) => {
          answer.start(200);
          for (let count = 1; count <= chunksMax && !answer.isClosed; count += 1) {
            written[path] = count;
            if (!answer.write(chunk)) await answer.drained();
          }
          answer.end();
        },
        { http },
      );
      const unread = await transport.stream('GET', '/unread');
      // The server gives both the same chance: while the one takes everything, the other could.
      await using beside = createTransport(server.config);
      const { body } = await beside.stream('GET', '/read');
      assert.equal(await lengthOf(body), chunksMax * chunk.length);
      // Buffers of two processes and of the kernel, but not the whole answer.
      const taken = written['/unread'] ?? 0;
      assert.ok(taken < chunksMax / 2, `${taken} chunks were taken while nobody read`);
      assert.equal(await lengthOf(unread.body), chunksMax * chunk.length);
    });

    test('an abort reaches the server and rejects with its reason', async (t) => {
      const left = Promise.withResolvers<void>();
      const abort = new AbortController();
      const reason = new Error('enough');
      const { transport } = await startPair(
        t,
        async (_, answer) => {
          abort.abort(reason);
          await answer.closed;
          left.resolve();
        },
        { http },
      );
      await assert.rejects(transport.request('GET', '/x', { signal: abort.signal }), reason);
      await left.promise;
      await assert.rejects(transport.request('GET', '/x', { signal: abort.signal }), reason);
    });

    test('slow headers and a stalled body end with words', async (t) => {
      const goOn = Promise.withResolvers<void>();
      const { transport } = await startPair(
        t,
        async (request, answer) => {
          if (request.path === '/silent') return;
          answer.start(200);
          answer.write('{');
          if (request.path === '/stalls') return;
          await goOn.promise;
          answer.write('}');
          answer.end();
        },
        { http, transport: { bodyTimeoutMs: 100 } },
      );
      await assert.rejects(transport.request('GET', '/silent', { headersTimeoutMs: 100 }), {
        name: 'TransportError',
        code: 'ETIMEDOUT',
        message: /\/silent: no answer within 100 ms/,
      });
      // A stream may be silent as long as it likes: this one is longer than a request that is given up.
      const stream = await transport.stream('GET', '/goes-on');
      await assert.rejects(transport.request('GET', '/stalls'), {
        code: 'ETIMEDOUT',
        message: /the answer stopped for 100 ms/,
      });
      goOn.resolve();
      assert.equal(await readAll(stream.body), '{}');
    });

    test('a compressed answer is unpacked', async (t) => {
      const text = JSON.stringify({ data: 'x'.repeat(10_000) });
      const { transport } = await startPair(
        t,
        (request, answer) => {
          assert.equal(request.headers['accept-encoding'], 'gzip');
          answer.start(200, { 'content-encoding': 'gzip' });
          answer.write(gzipSync(text));
          answer.end();
        },
        { http },
      );
      assert.equal((await transport.request('GET', '/')).body.toString(), text);
    });

    test('an answer that is too long, also unpacked, is an error', async (t) => {
      const { transport } = await startPair(
        t,
        (request, answer) => {
          const packed = request.path === '/packed';
          answer.start(200, packed ? { 'content-encoding': 'gzip' } : {});
          const bytes = Buffer.alloc(20_000);
          answer.write(packed ? gzipSync(bytes) : bytes);
          answer.end();
        },
        { http, transport: { responseBytesMax: 10_000 } },
      );
      await assert.rejects(transport.request('GET', '/'), /more than 10000 bytes/);
      await assert.rejects(transport.request('GET', '/packed'), /cannot be unpacked/);
    });

    test('a kept connection that the server closed is replaced without a pause', async (t) => {
      const pauses: number[] = [];
      const clock = {
        nowMs: () => 0,
        schedule: (delayMs: number, run: () => void) => {
          pauses.push(delayMs);
          setImmediate(run);
          return () => undefined;
        },
      };
      const { server, transport } = await startPair(t, (_, answer) => answer.send(200, {}), {
        http,
        transport: { clock },
      });
      await transport.request('GET', '/');
      server.cutAll();
      await transport.request('GET', '/');
      assert.equal(server.connections(), 2);
      assert.deepEqual(
        pauses.filter((delayMs) => delayMs > 0),
        [],
      );
    });

    test('close ends what is under way, twice', async (t) => {
      const { server, transport } = await startPair(t, () => undefined, { http });
      const pending = transport.request('GET', '/');
      await eventually('the request arrived', () => server.requests.length === 1);
      const failed = assert.rejects(pending, /the transport is closed/);
      await transport.close();
      await transport.close();
      await failed;
      await assert.rejects(transport.request('GET', '/'), /the transport is closed/);
      await eventually('the connection is closed', () => server.openConnections() === 0);
    });
  });
}

test('HTTP/2 is used when the server offers both', async (t) => {
  const { transport } = await startPair(t, ({ httpVersion }, answer) =>
    answer.send(200, { httpVersion }),
  );
  const { body } = await transport.request('GET', '/');
  assert.deepEqual(JSON.parse(body.toString()), { httpVersion: '2.0' });
});

test('requests at once share one HTTP/2 connection', async (t) => {
  const { server, transport } = await startPair(t, (_, answer) => answer.send(200, {}));
  await Promise.all(Array.from({ length: 50 }, () => transport.request('GET', '/')));
  assert.equal(server.connections(), 1);
});

test('more streams than one connection takes open another one, up to a limit', async (t) => {
  const { server, transport } = await startPair(t, (_, answer) => answer.start(200), {
    settings: { maxConcurrentStreams: 2 },
    transport: { connectionsMax: 2 },
  });
  // Before the first answer nobody knows the server's limit.
  const streams = [await transport.stream('GET', '/')];
  for (let index = 1; index < 4; index += 1) streams.push(await transport.stream('GET', '/'));
  assert.equal(server.connections(), 2);
  await assert.rejects(transport.stream('GET', '/'), /all 2 connections are full of requests/);
  await streams[0]?.close();
  streams.push(await eventuallySucceeds(() => transport.stream('GET', '/')));
  for (const stream of streams) await stream.close();
});

test('a crowd of watches at once gets as many connections as it needs', async (t) => {
  const { server, transport } = await startPair(t, (_, answer) => answer.start(200), {
    settings: { maxConcurrentStreams: 5 },
  });
  const streams = await Promise.all(
    Array.from({ length: 40 }, () => transport.stream('GET', '/watch')),
  );
  assert.equal(streams.length, 40);
  assert.equal(server.connections(), 8);
});

test('a goodbye of the server moves new requests to a new connection, and old ones go on', async (t) => {
  const moved = Promise.withResolvers<void>();
  const { server, transport } = await startPair(t, async ({ path }, answer) => {
    if (path !== '/watch') return answer.send(200, {});
    answer.start(200);
    answer.write('a');
    await moved.promise;
    answer.write('b');
    answer.end();
  });
  const stream = await transport.stream('GET', '/watch');
  server.goaway();
  // The goodbye arrives a moment later; the watch stays open until a request went elsewhere.
  await eventually('a request went over another connection', async () => {
    await transport.request('GET', '/');
    return server.connections() > 1;
  });
  assert.equal(server.connections(), 2);
  moved.resolve();
  assert.equal(await readAll(stream.body), 'ab');
});

test('a connection whose server is gone without a word is given up', async (t) => {
  const server = await startTestServer(t, (_, answer) => {
    answer.start(200);
    answer.write('{}');
  });
  const proxy = await startTcpProxy(t, Number(new URL(server.url).port));
  const config = { ...server.config, server: `https://127.0.0.1:${proxy.port}` };
  const clock = new VirtualClock();
  const pings = { pingIntervalMs: 1000, pingTimeoutMs: 5000 };
  await using transport = createTransport(config, { ...pings, upkeepClock: clock });
  const stream = await transport.stream('GET', '/watch');
  const reading = readAll(stream.body);
  reading.catch(() => undefined);
  for (let count = 1; count <= 3; count += 1) {
    // Only the next look is left when the answer to a ping has come.
    await eventually('the last ping is answered', () => clock.pending === 1);
    await clock.advance(pings.pingIntervalMs);
    await eventually(`ping ${count}`, () => server.pings() === count);
  }
  await eventually('the last ping is answered', () => clock.pending === 1);
  proxy.freeze();
  await clock.advance(pings.pingIntervalMs + pings.pingTimeoutMs);
  await assert.rejects(reading, { name: 'TransportError', message: /no answer to a ping/ });
});

suite('retries', () => {
  const rows: {
    name: string;
    method: string;
    status: number;
    retryAfter?: string;
    requests: number;
  }[] = [
    { name: '429 with Retry-After', method: 'GET', status: 429, retryAfter: '0', requests: 3 },
    { name: '429 of a create', method: 'POST', status: 429, retryAfter: '0', requests: 3 },
    { name: '500 with Retry-After', method: 'GET', status: 500, retryAfter: '0', requests: 3 },
    { name: '503 of an update', method: 'PUT', status: 503, retryAfter: '0', requests: 3 },
    { name: '503 of a create', method: 'POST', status: 503, retryAfter: '0', requests: 1 },
    { name: '503 of a patch', method: 'PATCH', status: 503, retryAfter: '0', requests: 1 },
    { name: '429 without Retry-After', method: 'GET', status: 429, requests: 1 },
    { name: '500 without Retry-After', method: 'GET', status: 500, requests: 1 },
    { name: 'a date', method: 'GET', status: 503, retryAfter: 'tomorrow', requests: 1 },
    { name: 'a long pause', method: 'GET', status: 503, retryAfter: '3600', requests: 1 },
    { name: '404 with Retry-After', method: 'GET', status: 404, retryAfter: '0', requests: 1 },
  ];
  for (const { name, method, status, retryAfter, requests } of rows) {
    test(`${name}: ${requests} requests`, async (t) => {
      const { server, transport } = await startPair(t, (_, answer) => {
        const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
        answer.send(status, 'no', headers);
      });
      await assert.rejects(transport.request(method, '/', { retriesMax: 2 }), { code: status });
      assert.equal(server.requests.length, requests);
    });
  }

  test('the body is sent again, and the answer after some retries is the answer', async (t) => {
    const bodies: string[] = [];
    const { transport } = await startPair(t, async (request, answer) => {
      bodies.push(await request.body());
      if (bodies.length < 3) answer.send(429, 'later', { 'retry-after': '0' });
      else answer.send(200, { ok: true });
    });
    const response = await transport.request('PUT', '/', { body: 'twice' });
    assert.equal(response.status, 200);
    assert.deepEqual(bodies, ['twice', 'twice', 'twice']);
  });

  test('a lost connection repeats a read and not a write', async (t) => {
    let cuts = 0;
    const clock = new VirtualClock();
    const { server, transport } = await startPair(
      t,
      (_, answer) => {
        cuts += 1;
        if (cuts % 2 === 1) answer.cutConnection();
        else answer.send(200, {});
      },
      { transport: { clock } },
    );
    const read = transport.request('GET', '/');
    await eventually('the pause', () => clock.pending === 1);
    assert.equal(server.requests.length, 1);
    await clock.advance(60_000);
    assert.equal((await read).status, 200);
    assert.equal(server.requests.length, 2);
    await assert.rejects(transport.request('POST', '/', { body: '{}' }), TransportError);
    assert.equal(server.requests.length, 3);
  });

  test('an abort ends a pause', async (t) => {
    const clock = new VirtualClock();
    const { transport } = await startPair(
      t,
      (_, answer) => answer.send(429, 'later', { 'retry-after': '30' }),
      { transport: { clock } },
    );
    const abort = new AbortController();
    const reason = new Error('enough');
    const pending = assert.rejects(transport.request('GET', '/', { signal: abort.signal }), reason);
    await eventually('the pause', () => clock.pending === 1);
    abort.abort(reason);
    await pending;
    assert.equal(clock.pending, 0);
  });

  test('closing ends a pause, too', async (t) => {
    const clock = new VirtualClock();
    const { transport } = await startPair(
      t,
      (_, answer) => answer.send(429, 'later', { 'retry-after': '30' }),
      { transport: { clock } },
    );
    const pending = assert.rejects(transport.request('GET', '/'), /the transport is closed/);
    await eventually('the pause', () => clock.pending === 1);
    await transport.close();
    await pending;
  });

  test('anyStatus gives every answer as it is', async (t) => {
    const { server, transport } = await startPair(t, (_, answer) =>
      answer.send(503, 'no', { 'retry-after': '1' }),
    );
    const response = await transport.request('GET', '/', { anyStatus: true });
    assert.equal(response.status, 503);
    assert.equal(response.body.toString(), 'no');
    assert.equal(server.requests.length, 1);
  });
});

test('nobody listens: the error says where', async () => {
  const port = await freePort();
  const config = { server: `https://127.0.0.1:${port}`, identity: {}, namespace: 'default' };
  await using transport = createTransport(config);
  await assert.rejects(transport.request('GET', '/api'), (error) => {
    assert.ok(error instanceof TransportError);
    assert.equal(error.code, 'ECONNREFUSED');
    assert.equal(error.maybeProcessed, false);
    assert.match(error.message, new RegExp(`^GET https://127.0.0.1:${port}/api: connect ECONN`));
    return true;
  });
});

suite('whom to believe', () => {
  const answer: TestHandler = (_, response) => response.send(200, {});

  test('a server of an unknown authority is refused', async (t) => {
    const server = await startTestServer(t, answer);
    const { ca: _, ...config } = server.config;
    await using transport = createTransport(config);
    await assert.rejects(transport.request('GET', '/'), {
      name: 'TransportError',
      maybeProcessed: false,
    });
  });

  test('unless nobody wants to know', async (t) => {
    const server = await startTestServer(t, answer);
    const { ca: _, ...config } = server.config;
    await using transport = createTransport({ ...config, insecureSkipTlsVerify: true });
    assert.equal((await transport.request('GET', '/')).status, 200);
  });

  test('the name that must be in the certificate can be another than the host', async (t) => {
    const server = await startTestServer(t, answer);
    for (const [tlsServerName, works] of [
      ['localhost', true],
      ['::1', true],
      ['elsewhere.example.com', false],
      ['10.0.0.1', false],
    ] as const) {
      await using transport = createTransport({ ...server.config, tlsServerName });
      const request = transport.request('GET', '/');
      if (works) assert.equal((await request).status, 200);
      else await assert.rejects(request, /ERR_TLS_CERT_ALTNAME_INVALID|does not match/);
    }
  });

  test('a server that does not shake hands is given up', async (t) => {
    const { createServer } = await import('node:net');
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    defer(t, () => void silent.close());
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as { port: number };
    const config = { server: `https://127.0.0.1:${port}`, identity: {}, namespace: '' };
    await using transport = createTransport(config, { connectTimeoutMs: 100 });
    await assert.rejects(transport.request('GET', '/'), /no connection within 100 ms/);
  });
});

suite('credentials', () => {
  test('a token file is read again when the server refuses the token', async (t) => {
    const file = join(await temporaryDirectory(t), 'token');
    await writeFile(file, 'old\n');
    const server = await startTestServer(t, (request, answer) => {
      const ok = request.headers.authorization === 'Bearer new';
      answer.send(ok ? 200 : 401, ok ? {} : 'who?');
    });
    const identity = { authorization: { kind: 'token-file', file } } as const;
    await using transport = createTransport({ ...server.config, identity });
    await assert.rejects(transport.request('GET', '/'), { code: 401, reason: 'Unauthorized' });
    await writeFile(file, 'new\n');
    assert.equal((await transport.request('GET', '/')).status, 200);
  });

  test('impersonation and basic authentication are headers', async (t) => {
    const server = await startTestServer(t, ({ headers }, answer) => answer.send(200, headers), {
      http: '1.1',
    });
    const identity = {
      authorization: { kind: 'basic', username: 'u', password: 'p' },
      impersonate: { user: 'jane', uid: '7', groups: ['a', 'b'], extra: { 'Scope/x': ['1'] } },
    } as const;
    await using transport = createTransport({ ...server.config, identity });
    const headers = JSON.parse((await transport.request('GET', '/')).body.toString());
    assert.equal(headers.authorization, `Basic ${Buffer.from('u:p').toString('base64')}`);
    assert.equal(headers['impersonate-user'], 'jane');
    assert.equal(headers['impersonate-uid'], '7');
    assert.equal(headers['impersonate-group'], 'a, b');
    assert.equal(headers['impersonate-extra-scope%2fx'], '1');
  });

  test('a new client certificate makes new connections', async (t) => {
    const directory = await temporaryDirectory(t);
    const server = await startTestServer(t, (_, answer) => answer.send(200, {}));
    const certificate = join(directory, 'tls.crt');
    const key = join(directory, 'tls.key');
    const write = async (pair: { cert: string; key: string }): Promise<void> => {
      await writeFile(certificate, pair.cert);
      await writeFile(key, pair.key);
    };
    await write(server.pki.admin);
    let nowMs = 1_000_000;
    const clock = { nowMs: () => nowMs, schedule: () => () => undefined };
    const identity = { certificate: { certificate: { file: certificate }, key: { file: key } } };
    await using transport = createTransport({ ...server.config, identity }, { clock });
    await transport.request('GET', '/');
    await write(await server.pki.client({ commonName: 'other' }));
    await transport.request('GET', '/');
    assert.equal(server.connections(), 1);
    nowMs += 61_000;
    await transport.request('GET', '/');
    assert.equal(server.connections(), 2);
    await eventually('one connection is left', () => server.openConnections() === 1);
  });
});

test('the path of the server stands in front of every request', async (t) => {
  const server = await startTestServer(t, ({ path }, answer) => answer.send(200, { path }));
  await using transport = createTransport({ ...server.config, server: `${server.url}/k8s/one` });
  const { body } = await transport.request('GET', '/api');
  assert.deepEqual(JSON.parse(body.toString()), { path: '/k8s/one/api' });
});

test('clear text works, over HTTP/1.1', async (t) => {
  const { createServer } = await import('node:http');
  const plain = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1');
  defer(t, () => void plain.close());
  await new Promise((resolve) => plain.once('listening', resolve));
  const { port } = plain.address() as { port: number };
  const config = { server: `http://127.0.0.1:${port}`, identity: {}, namespace: '' };
  await using transport = createTransport(config);
  assert.equal((await transport.request('GET', '/')).httpVersion, '1.1');
});

test('credentials do not travel in clear text', () => {
  const identity = { authorization: { kind: 'token', token: 't' } } as const;
  const config = { server: 'http://127.0.0.1:1', identity, namespace: '' };
  assert.throws(() => createTransport(config), /credentials do not travel in clear text/);
});

test('a kept connection keeps no process alive', async (t) => {
  const index = JSON.stringify(join(import.meta.dirname, '..', 'src', 'index.ts'));
  for (const http of ['1.1', '2'] as const) {
    const server = await startTestServer(t, (_, answer) => answer.send(200, {}), { http });
    const script = `import { createTransport } from ${index};
      const transport = createTransport(${JSON.stringify(server.config)});
      console.log((await transport.request('GET', '/')).httpVersion);`;
    const flags = process.execArgv.filter((flag) => flag.startsWith('--conditions'));
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...flags, '--input-type=module-typescript', '--eval', script],
      { timeout: 20_000 },
    );
    assert.equal(stdout, `${http}\n`);
    assert.equal(server.connections(), 1);
  }
});

async function lengthOf(source: AsyncIterable<Uint8Array>): Promise<number> {
  let length = 0;
  for await (const chunk of source) length += chunk.length;
  return length;
}

async function readAll(source: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
