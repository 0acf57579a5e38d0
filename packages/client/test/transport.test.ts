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
    test('a response that arrives before it is read is complete', async (t) => {
      const text = 'x'.repeat(1000);
      const closed = Promise.withResolvers<void>();
      const { transport } = await startPair(
        t,
        async (_request, response) => {
          response.send(200, text);
          await response.closed;
          closed.resolve();
        },
        { http },
      );
      const stream = await transport.stream('GET', '/early');
      await closed.promise;
      await transport.request('GET', '/later'); // after it, all of the first has arrived
      await turns();
      let read = '';
      for await (const chunk of stream.body) read += Buffer.from(chunk).toString();
      assert.equal(read, text);
    });

    test('a request sends method, path, query, headers and body, and returns the response', async (t) => {
      const { transport } = await startPair(
        t,
        async (request, response) => {
          const { method, path, query, headers } = request;
          const seen = { method, path, query: [...query], type: headers['content-type'] };
          response.send(201, { ...seen, body: await request.body() }, { 'x-answer': 'yes' });
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

    test('sequential requests share one connection', async (t) => {
      const { server, transport } = await startPair(t, (_, response) => response.send(200, {}), {
        http,
      });
      for (let index = 0; index < 5; index += 1) await transport.request('GET', '/');
      assert.equal(server.connections(), 1);
    });

    test('a Status in the response is thrown unchanged', async (t) => {
      const error = notFound({ group: 'apps', resource: 'deployments' }, 'web');
      const { server, transport } = await startPair(
        t,
        (_, response) => response.send(404, error.status),
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

    test('a response that is cut short is an error, never a short response', async (t) => {
      const cuts: ('cut' | 'cutConnection')[] = ['cut', 'cutConnection'];
      for (const how of cuts) {
        const { transport } = await startPair(
          t,
          async (_, response) => {
            response.start(200);
            response.write('{"items":[1,2');
            await response.delivered();
            response[how]();
          },
          { http },
        );
        const failure = { name: 'TransportError', message: /cut short/ };
        await assert.rejects(transport.request('GET', '/x', { retriesMax: 0 }), failure, how);
        const stream = await transport.stream('GET', '/x');
        await assert.rejects(readAll(stream.body), failure, how);
      }
    });

    test('a stream yields chunks as they arrive, and can be closed early', async (t) => {
      const left = Promise.withResolvers<void>();
      const { transport } = await startPair(
        t,
        async (_, response) => {
          response.start(200);
          response.write('one\n');
          await response.closed;
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
        async ({ path }, response) => {
          response.start(200);
          for (let count = 1; count <= chunksMax && !response.isClosed; count += 1) {
            written[path] = count;
            if (!response.write(chunk)) await response.drained();
          }
          response.end();
        },
        { http },
      );
      const unread = await transport.stream('GET', '/unread');
      // The server treats both alike: while one of them takes everything, the other could.
      await using beside = createTransport(server.config);
      const { body } = await beside.stream('GET', '/read');
      assert.equal(await lengthOf(body), chunksMax * chunk.length);
      // Buffers of two processes and of the kernel, but not the whole response.
      const taken = written['/unread'] ?? 0;
      assert.ok(taken < chunksMax / 2, `${taken} chunks were taken without a reader`);
      assert.equal(await lengthOf(unread.body), chunksMax * chunk.length);
    });

    test('an abort reaches the server and rejects with its reason', async (t) => {
      const left = Promise.withResolvers<void>();
      const abort = new AbortController();
      const reason = new Error('enough');
      const { transport } = await startPair(
        t,
        async (_, response) => {
          abort.abort(reason);
          await response.closed;
          left.resolve();
        },
        { http },
      );
      await assert.rejects(transport.request('GET', '/x', { signal: abort.signal }), reason);
      await left.promise;
      await assert.rejects(transport.request('GET', '/x', { signal: abort.signal }), reason);
    });

    test('slow headers and a stalled body end with an error', async (t) => {
      const goOn = Promise.withResolvers<void>();
      const { transport } = await startPair(
        t,
        async (request, response) => {
          if (request.path === '/silent') return;
          response.start(200);
          response.write('{');
          if (request.path === '/stalls') return;
          await goOn.promise;
          response.write('}');
          response.end();
        },
        { http, transport: { bodyTimeoutMs: 100 } },
      );
      await assert.rejects(transport.request('GET', '/silent', { headersTimeoutMs: 100 }), {
        name: 'TransportError',
        code: 'ETIMEDOUT',
        message: /\/silent: no response within 100 ms/,
      });
      // Streams may be silent: this one is longer than the timeout of a request.
      const stream = await transport.stream('GET', '/goes-on');
      await assert.rejects(transport.request('GET', '/stalls'), {
        code: 'ETIMEDOUT',
        message: /the response stopped for 100 ms/,
      });
      goOn.resolve();
      assert.equal(await readAll(stream.body), '{}');
    });

    test('a compressed response is decompressed', async (t) => {
      const text = JSON.stringify({ data: 'x'.repeat(10_000) });
      const { transport } = await startPair(
        t,
        (request, response) => {
          assert.equal(request.headers['accept-encoding'], 'gzip');
          response.start(200, { 'content-encoding': 'gzip' });
          response.write(gzipSync(text));
          response.end();
        },
        { http },
      );
      assert.equal((await transport.request('GET', '/')).body.toString(), text);
    });

    test('a response that is too long, also decompressed, is an error', async (t) => {
      const { transport } = await startPair(
        t,
        (request, response) => {
          const packed = request.path === '/packed';
          response.start(200, packed ? { 'content-encoding': 'gzip' } : {});
          const bytes = Buffer.alloc(20_000);
          response.write(packed ? gzipSync(bytes) : bytes);
          response.end();
        },
        { http, transport: { responseBytesMax: 10_000 } },
      );
      await assert.rejects(transport.request('GET', '/'), /more than 10000 bytes/);
      await assert.rejects(transport.request('GET', '/packed'), /cannot be decompressed/);
    });

    test('an idle connection that the server closed is replaced without a delay', async (t) => {
      const pauses: number[] = [];
      const clock = {
        nowMs: () => 0,
        schedule: (delayMs: number, run: () => void) => {
          pauses.push(delayMs);
          setImmediate(run);
          return () => undefined;
        },
      };
      const { server, transport } = await startPair(t, (_, response) => response.send(200, {}), {
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

    test('close ends requests under way, and may be called twice', async (t) => {
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
  const { transport } = await startPair(t, ({ httpVersion }, response) =>
    response.send(200, { httpVersion }),
  );
  const { body } = await transport.request('GET', '/');
  assert.deepEqual(JSON.parse(body.toString()), { httpVersion: '2.0' });
});

test('concurrent requests share one HTTP/2 connection', async (t) => {
  const { server, transport } = await startPair(t, (_, response) => response.send(200, {}));
  await Promise.all(Array.from({ length: 50 }, () => transport.request('GET', '/')));
  assert.equal(server.connections(), 1);
});

test('more streams than one connection allows open another one, up to a limit', async (t) => {
  const { server, transport } = await startPair(t, (_, response) => response.start(200), {
    settings: { maxConcurrentStreams: 2 },
    transport: { connectionsMax: 2 },
  });
  // The server's limit is unknown before its first response.
  const streams = [await transport.stream('GET', '/')];
  for (let index = 1; index < 4; index += 1) streams.push(await transport.stream('GET', '/'));
  assert.equal(server.connections(), 2);
  await assert.rejects(transport.stream('GET', '/'), /all 2 connections are full of requests/);
  await streams[0]?.close();
  streams.push(await eventuallySucceeds(() => transport.stream('GET', '/')));
  for (const stream of streams) await stream.close();
});

test('many concurrent watches get as many connections as they need', async (t) => {
  const { server, transport } = await startPair(t, (_, response) => response.start(200), {
    settings: { maxConcurrentStreams: 5 },
  });
  const streams = await Promise.all(
    Array.from({ length: 40 }, () => transport.stream('GET', '/watch')),
  );
  assert.equal(streams.length, 40);
  assert.equal(server.connections(), 8);
});

test('GOAWAY moves new requests to a new connection, and old ones go on', async (t) => {
  const moved = Promise.withResolvers<void>();
  const { server, transport } = await startPair(t, async ({ path }, response) => {
    if (path !== '/watch') return response.send(200, {});
    response.start(200);
    response.write('a');
    await moved.promise;
    response.write('b');
    response.end();
  });
  const stream = await transport.stream('GET', '/watch');
  server.goaway();
  // GOAWAY arrives a moment later; the watch stays open until a request used another connection.
  await eventually('a request went over another connection', async () => {
    await transport.request('GET', '/');
    return server.connections() > 1;
  });
  assert.equal(server.connections(), 2);
  moved.resolve();
  assert.equal(await readAll(stream.body), 'ab');
});

test('a connection whose server disappeared silently is closed', async (t) => {
  const server = await startTestServer(t, (_, response) => {
    response.start(200);
    response.write('{}');
  });
  const proxy = await startTcpProxy(t, Number(new URL(server.url).port));
  const config = { ...server.config, server: `https://127.0.0.1:${proxy.port}` };
  const clock = new VirtualClock();
  const pings = { pingIntervalMs: 1000, pingTimeoutMs: 5000 };
  await using transport = createTransport(config, { ...pings, maintenanceClock: clock });
  const stream = await transport.stream('GET', '/watch');
  const reading = readAll(stream.body);
  reading.catch(() => undefined);
  for (let count = 1; count <= 3; count += 1) {
    // Only the next poll is left when the response to a ping has come.
    await eventually('the last ping has its response', () => clock.pending === 1);
    await clock.advance(pings.pingIntervalMs);
    await eventually(`ping ${count}`, () => server.pings() === count);
  }
  await eventually('the last ping has its response', () => clock.pending === 1);
  proxy.freeze();
  await clock.advance(pings.pingIntervalMs + pings.pingTimeoutMs);
  await assert.rejects(reading, { name: 'TransportError', message: /no response to a ping/ });
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
      const { server, transport } = await startPair(t, (_, response) => {
        const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
        response.send(status, 'no', headers);
      });
      await assert.rejects(transport.request(method, '/', { retriesMax: 2 }), { code: status });
      assert.equal(server.requests.length, requests);
    });
  }

  test('the body is sent again, and the response of the last retry is returned', async (t) => {
    const bodies: string[] = [];
    const { transport } = await startPair(t, async (request, response) => {
      bodies.push(await request.body());
      if (bodies.length < 3) response.send(429, 'later', { 'retry-after': '0' });
      else response.send(200, { ok: true });
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
      (_, response) => {
        cuts += 1;
        if (cuts % 2 === 1) response.cutConnection();
        else response.send(200, {});
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

  test('an abort ends the delay of a retry', async (t) => {
    const clock = new VirtualClock();
    const { transport } = await startPair(
      t,
      (_, response) => response.send(429, 'later', { 'retry-after': '30' }),
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

  test('close ends the delay of a retry, too', async (t) => {
    const clock = new VirtualClock();
    const { transport } = await startPair(
      t,
      (_, response) => response.send(429, 'later', { 'retry-after': '30' }),
      { transport: { clock } },
    );
    const pending = assert.rejects(transport.request('GET', '/'), /the transport is closed/);
    await eventually('the pause', () => clock.pending === 1);
    await transport.close();
    await pending;
  });

  test('anyStatus returns every response unchanged', async (t) => {
    const { server, transport } = await startPair(t, (_, response) =>
      response.send(503, 'no', { 'retry-after': '1' }),
    );
    const response = await transport.request('GET', '/', { anyStatus: true });
    assert.equal(response.status, 503);
    assert.equal(response.body.toString(), 'no');
    assert.equal(server.requests.length, 1);
  });
});

test('a refused connection is an error with the address', async () => {
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
  const response: TestHandler = (_, response) => response.send(200, {});

  test('a server of an unknown authority is refused', async (t) => {
    const server = await startTestServer(t, response);
    const { ca: _, ...config } = server.config;
    await using transport = createTransport(config);
    await assert.rejects(transport.request('GET', '/'), {
      name: 'TransportError',
      maybeProcessed: false,
    });
  });

  test('with insecureSkipTlsVerify it is accepted', async (t) => {
    const server = await startTestServer(t, response);
    const { ca: _, ...config } = server.config;
    await using transport = createTransport({ ...config, insecureSkipTlsVerify: true });
    assert.equal((await transport.request('GET', '/')).status, 200);
  });

  test('the name that must be in the certificate can be another than the host', async (t) => {
    const server = await startTestServer(t, response);
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

  test('a server that does not finish the handshake is a timeout', async (t) => {
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
    const server = await startTestServer(t, (request, response) => {
      const ok = request.headers.authorization === 'Bearer new';
      response.send(ok ? 200 : 401, ok ? {} : 'who?');
    });
    const identity = { authorization: { kind: 'token-file', file } } as const;
    await using transport = createTransport({ ...server.config, identity });
    await assert.rejects(transport.request('GET', '/'), { code: 401, reason: 'Unauthorized' });
    await writeFile(file, 'new\n');
    assert.equal((await transport.request('GET', '/')).status, 200);
  });

  test('impersonation and basic authentication are headers', async (t) => {
    const server = await startTestServer(
      t,
      ({ headers }, response) => response.send(200, headers),
      {
        http: '1.1',
      },
    );
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
    const server = await startTestServer(t, (_, response) => response.send(200, {}));
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

test('the path of the server precedes the path of every request', async (t) => {
  const server = await startTestServer(t, ({ path }, response) => response.send(200, { path }));
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

test('credentials are not sent in clear text', () => {
  const identity = { authorization: { kind: 'token', token: 't' } } as const;
  const config = { server: 'http://127.0.0.1:1', identity, namespace: '' };
  assert.throws(() => createTransport(config), /credentials are not sent in clear text/);
});

test('an idle connection does not keep the process alive', async (t) => {
  const index = JSON.stringify(join(import.meta.dirname, '..', 'src', 'index.ts'));
  for (const http of ['1.1', '2'] as const) {
    const server = await startTestServer(t, (_, response) => response.send(200, {}), { http });
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
