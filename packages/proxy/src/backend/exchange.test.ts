import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { suite, test } from 'node:test';
import { eventually } from '../../../../test/harness/index.ts';
import {
  connectTo,
  failureOf,
  get,
  pieces,
  startBackend,
  text,
  underWay,
} from '../../test/backend-fixture.ts';
import { untilUnchanged } from '../../test/until-unchanged.ts';

for (const http of ['1.1', '2'] as const) {
  suite(`HTTP/${http} to a server`, () => {
    test('headers are forwarded unchanged, in order, with repetitions and no additions', async (t) => {
      const seen = Promise.withResolvers<IncomingMessage>();
      const server = await startBackend(
        t,
        (request, response) => {
          seen.resolve(request);
          response.writeHead(200, [
            ...['warning', '299 - "a, b"', 'warning', '299 - "c"', 'x-empty', ''],
          ] as never);
          response.end('ok');
        },
        { http },
      );
      const { backend } = connectTo(t, [server.target]);
      const response = await backend.send(
        get('/apis?x=1&y=%2F', {
          headers: [
            ['x-remote-user', 'jane'],
            ['x-remote-group', 'a,b'],
            ['x-remote-group', 'c'],
            ['user-agent', ''],
          ],
          headersFor: ({ port }) => [['x-forwarded-host', `127.0.0.1:${port}`]],
        }),
      );
      assert.equal(await text(response), 'ok');
      const { rawHeaders, url, httpVersion } = await seen.promise;
      const lines = pairs(rawHeaders).filter(([name]) => !name.startsWith(':'));
      assert.deepEqual(
        lines.filter(([name]) => name !== 'host'),
        [
          ['x-remote-user', 'jane'],
          ['x-remote-group', 'a,b'],
          ['x-remote-group', 'c'],
          ['user-agent', ''],
          ['x-forwarded-host', `127.0.0.1:${server.port}`],
        ],
      );
      const host = pairs(rawHeaders).find(([name]) => name === 'host' || name === ':authority');
      assert.equal(host?.[1], `127.0.0.1:${server.port}`);
      assert.equal(url, '/apis?x=1&y=%2F');
      assert.equal(httpVersion, http === '2' ? '2.0' : '1.1');
      assert.deepEqual(
        response.headers.filter(([name]) => name === 'warning' || name === 'x-empty'),
        [
          ['warning', '299 - "a, b"'],
          ['warning', '299 - "c"'],
          ['x-empty', ''],
        ],
      );
      assert.deepEqual(response.target, server.target);
    });

    const bodies = [
      { name: 'bytes', method: 'POST', body: () => Buffer.from('abc') },
      { name: 'a stream', method: 'POST', body: () => pieces('a', 'b', 'c') },
      { name: 'a stream with a DELETE', method: 'DELETE', body: () => pieces('abc') },
      {
        name: 'a stream of known length',
        method: 'PUT',
        body: () => pieces('a', 'bc'),
        headers: [['content-length', '3']] as const,
      },
    ];
    for (const { name, method, body, headers = [] } of bodies) {
      test(`a request body is forwarded: ${name}`, async (t) => {
        const server = await startBackend(
          t,
          async (request, response) => {
            let read = '';
            for await (const chunk of request) read += chunk;
            response.end(`${request.method} ${read} ${request.headers['content-length'] ?? '-'}`);
          },
          { http },
        );
        const { backend } = connectTo(t, [server.target]);
        const response = await backend.send(get('/', { method, body: body(), headers }));
        const length = name.startsWith('a stream') && headers.length === 0 ? '-' : '3';
        assert.equal(await text(response), `${method} abc ${length}`);
      });
    }

    test('bodies of 10 MiB are forwarded in both directions at once', async (t) => {
      const server = await startBackend(t, (request, response) => void request.pipe(response), {
        http,
      });
      const { backend } = connectTo(t, [server.target]);
      const sent = randomBytes(10 * 1024 * 1024);
      const body = new PassThrough();
      body.end(sent);
      const response = await backend.send(get('/', { method: 'POST', body }));
      const hash = createHash('sha256');
      for await (const chunk of response.body) hash.update(chunk);
      assert.equal(hash.digest('hex'), createHash('sha256').update(sent).digest('hex'));
    });

    test('backpressure of the server stops the client, and that of the client the server', async (t) => {
      let written = 0;
      const server = await startBackend(
        t,
        async (request, response) => {
          if (request.method === 'POST') return; // reads nothing
          if (request.url === '/marker') return void response.end();
          const chunk = Buffer.alloc(64 * 1024);
          while (!response.destroyed && written < 64 * 1024 * 1024) {
            written += chunk.length;
            if (!response.write(chunk)) await drained(response);
          }
        },
        { http },
      );
      const { backend } = connectTo(t, [server.target]);
      const leaving = new AbortController();
      const body = new PassThrough();
      let taken = 0;
      const sending = backend.send(get('/', { method: 'POST', body, signal: leaving.signal }));
      const feed = async (): Promise<void> => {
        while (taken < 64 * 1024 * 1024 && !leaving.signal.aborted) {
          taken += 64 * 1024;
          if (!body.write(Buffer.alloc(64 * 1024))) {
            const stop = { signal: leaving.signal };
            await once(body, 'drain', stop).catch(() => {});
          }
        }
      };
      const feeding = feed();
      const response = await backend.send(get('/'));
      const marker = async () => text(await backend.send(get('/marker')));
      await untilUnchanged(() => taken + written, marker);
      assert.ok(taken > 0 && written > 0, `the client wrote ${taken}, the server ${written}`);
      assert.ok(taken < 16 * 1024 * 1024, `the client wrote ${taken}`);
      assert.ok(written < 16 * 1024 * 1024, `the server wrote ${written}`);
      leaving.abort(new Error('enough'));
      await assert.rejects(sending, { message: 'enough' });
      response.cancel();
      await feeding;
    });

    test('a request body that breaks off never looks complete', async (t) => {
      const ends: string[] = [];
      const begun = Promise.withResolvers<void>();
      const over = Promise.withResolvers<void>();
      const server = await startBackend(
        t,
        (request) => {
          request.once('data', () => begun.resolve());
          request.once('aborted', () => ends.push('aborted'));
          request.once('end', () => ends.push(request.complete ? 'complete' : 'end'));
          request.once('close', () => over.resolve());
        },
        { http },
      );
      const { backend, evidence } = connectTo(t, [server.target]);
      const body = new PassThrough();
      body.write('{"half":');
      const sending = failureOf(backend.send(get('/', { method: 'POST', body })));
      await begun.promise;
      body.destroy(new Error('the client is gone'));
      const failure = await sending;
      assert.match(failure.message, /the body of the request broke off/);
      await over.promise;
      assert.equal(ends[0], 'aborted', ends.join());
      assert.deepEqual(evidence, [], 'no fault of the server');
    });

    test('an abort ends the exchange at the server, before and after the response headers', async (t) => {
      const gone = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const seen = Promise.withResolvers<void>();
      const server = await startBackend(
        t,
        (request, response) => {
          seen.resolve();
          const after = request.url === '/after';
          response.once('close', () => gone[after ? 1 : 0]?.resolve());
          if (after) {
            response.writeHead(200);
            response.write('some');
          }
        },
        { http },
      );
      const { backend, evidence } = connectTo(t, [server.target]);
      const before = new AbortController();
      const waiting = backend.send(get('/before', { signal: before.signal }));
      await seen.promise;
      before.abort(new Error('no time'));
      await assert.rejects(waiting, { message: 'no time' });
      await gone[0]?.promise;
      const after = new AbortController();
      const response = await backend.send(get('/after', { signal: after.signal }));
      const chunks = response.body[Symbol.asyncIterator]();
      await chunks.next();
      const reading = chunks.next();
      after.abort(new Error('left'));
      await assert.rejects(reading, { message: 'left' });
      await gone[1]?.promise;
      assert.deepEqual(
        evidence.map(({ failure }) => failure),
        [undefined],
      );
    });

    test('a response that breaks off is a failure that is reported as evidence', async (t) => {
      const server = await startBackend(
        t,
        (_request, response) => void response.writeHead(200).write('{"items":['),
        { http },
      );
      const { backend, evidence } = connectTo(t, [server.target]);
      const chunks = (await backend.send(get())).body[Symbol.asyncIterator]();
      await chunks.next();
      const reading = failureOf(chunks.next());
      server.cutAll();
      const failure = await reading;
      assert.equal(failure.hop, 'reset');
      assert.equal(failure.maybeProcessed, true);
      assert.match(failure.message, /in the middle of the response/);
      assert.equal(evidence.at(-1)?.failure, failure);
    });

    test('interim responses and trailers are forwarded', async (t) => {
      const server = await startBackend(
        t,
        (_request, response) => {
          response.writeEarlyHints({ link: '</a>; rel=preload' });
          response.writeHead(200, { trailer: 'x-sum' });
          response.write('body');
          response.addTrailers({ 'x-sum': '7' });
          response.end();
        },
        { http },
      );
      const { backend } = connectTo(t, [server.target]);
      const interim: unknown[] = [];
      const response = await backend.send(
        get('/', { onInterim: (status, headers) => interim.push([status, headers]) }),
      );
      assert.equal(await text(response), 'body');
      assert.deepEqual(response.trailers?.(), [['x-sum', '7']]);
      assert.deepEqual(interim, [[103, [['link', '</a>; rel=preload']]]]);
    });

    test('a megabyte of request headers is sent, and as many response headers as the protocol carries', async (t) => {
      const server = await startBackend(
        t,
        (request, response) => {
          const groups = request.rawHeaders.filter((name) => name === 'x-remote-group').length;
          const bytes = http === '2' ? 20 : 190;
          const lines: string[] = [];
          for (let index = 0; index < 4900; index += 1) {
            lines.push('warning', String(index).padEnd(bytes, 'w'));
          }
          response.writeHead(200, lines as never);
          response.end(`${request.httpVersion} ${groups}`);
        },
        { http, maxSendHeaderBlockLength: 2 ** 21 },
      );
      const { backend } = connectTo(t, [server.target]);
      const headers = Array.from(
        { length: 4900 },
        (_, index) => ['x-remote-group', String(index).padEnd(190, 'g')] as const,
      );
      const large = await backend.send(get('/', { headers }));
      assert.equal(large.status, 200);
      assert.equal(large.headers.filter(([name]) => name === 'warning').length, 4900);
      // Beyond what Node's servers take over HTTP/2, the other protocol carries it.
      assert.equal(await text(large), '1.1 4900');
      const small = await backend.send(get('/', { headers: headers.slice(0, 500) }));
      assert.equal(small.headers.filter(([name]) => name === 'warning').length, 4900);
      // The server announces less than it takes: what is above shares no connection with others.
      assert.equal(await text(small), '1.1 500');
      const fewer = await backend.send(get('/', { headers: headers.slice(0, 200) }));
      assert.equal(await text(fewer), `${http === '2' ? '2.0' : '1.1'} 200`);
    });
  });
}

test('an IPv6 address in Host has brackets', async (t) => {
  const server = await startBackend(
    t,
    (request, response) => void response.end(request.headers[':authority'] ?? request.headers.host),
  );
  // The loopback of IPv4, written as an address of IPv6.
  const target = { ...server.target, host: '::ffff:127.0.0.1' };
  const { backend } = connectTo(t, [target]);
  assert.equal(await text(await backend.send(get())), `[::ffff:127.0.0.1]:${server.port}`);
});

test('a request body that fails before there is a connection is one failure', async (t) => {
  const server = await startBackend(t, (_request, response) => void response.end());
  const { backend, evidence } = connectTo(t, [server.target]);
  const body = new PassThrough();
  const sending = failureOf(backend.send(get('/', { method: 'POST', body })));
  body.destroy(new Error('the client is gone'));
  assert.match((await sending).message, /the body of the request broke off/);
  assert.deepEqual(evidence, []);
});

test('a response that is cancelled unread leaves no connection in use', async (t) => {
  const server = await startBackend(t, (_request, response) => void response.end('x'.repeat(1e6)));
  const { backend, metrics } = connectTo(t, [server.target], {
    remote: { limits: { requestsInFlightMax: 1 } },
  });
  for (let index = 0; index < 5; index += 1) {
    const response = await backend.send(get());
    response.cancel();
    await eventually('its place is free', () => underWay(metrics, 'requests_in_flight') === 0);
  }
  await text(await backend.send(get()));
});

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const complete = (): void => {
      response.off('drain', complete).off('close', complete);
      resolve();
    };
    response.once('drain', complete).once('close', complete);
  });
}

function pairs(flat: readonly string[]): [string, string][] {
  const result: [string, string][] = [];
  for (let index = 0; index < flat.length; index += 2) {
    result.push([(flat[index] ?? '').toLowerCase(), flat[index + 1] ?? '']);
  }
  return result;
}
