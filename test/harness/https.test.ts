import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { httpsRequest, httpsStream, take } from './https.ts';
import { createPki, type Pki } from './pki.ts';
import { createScope, defer, type TestScope } from './scope.ts';

type Handler = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

const pki = await createPki();

async function serve(t: TestScope, handler: Handler): Promise<string> {
  const server = createSecureServer(
    {
      ...pki.server,
      ca: pki.ca.cert,
      allowHTTP1: true,
      requestCert: true,
      rejectUnauthorized: false,
    },
    handler,
  );
  server.on('session', (session) => defer(t, () => session.destroy()));
  defer(t, () => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function peerName(request: Http2ServerRequest): string {
  const socket = (request.stream?.session?.socket ?? request.socket) as TLSSocket;
  return String(socket.getPeerCertificate().subject?.CN ?? 'anonymous');
}

const trust = (pki: Pki) => ({ ca: pki.ca.cert });

for (const http of ['1.1', '2'] as const) {
  test(`HTTP/${http}: method, headers, body and client certificate arrive`, async (t) => {
    const url = await serve(t, async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      response.setHeader('warning', ['a', 'b']);
      response.writeHead(201, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          version: request.httpVersion,
          method: request.method,
          url: request.url,
          type: request.headers['content-type'],
          token: request.headers.authorization,
          peer: peerName(request),
          body,
        }),
      );
    });
    const response = await httpsRequest(`${url}/apis?limit=1`, {
      ...trust(pki),
      ...pki.admin,
      http,
      method: 'POST',
      token: 'secret',
      body: { a: 'ü' },
    });
    assert.equal(response.status, 201);
    assert.equal(response.http, http);
    assert.deepEqual(response.json(), {
      version: http === '2' ? '2.0' : '1.1',
      method: 'POST',
      url: '/apis?limit=1',
      type: 'application/json',
      token: 'Bearer secret',
      peer: 'admin',
      body: '{"a":"ü"}',
    });
    assert.equal(response.headers['content-type'], 'application/json');
    const warnings = response.rawHeaders.filter(([name]) => name.toLowerCase() === 'warning');
    assert.deepEqual(
      warnings.map(([, value]) => value),
      ['a', 'b'],
    );
    assert.equal(response.headers.warning, 'a, b');
  });

  test(`HTTP/${http}: lines are read while they arrive, and the server sees the client disconnect`, async (t) => {
    const gone = Promise.withResolvers<void>();
    const more = Promise.withResolvers<void>();
    const url = await serve(t, (_, response) => {
      response.on('close', gone.resolve);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"n":1}\n{"n"');
      void more.promise.then(() => response.write(':2}\n'));
    });
    const watch = await httpsStream(url, { ...trust(pki), http });
    assert.equal(watch.status, 200);
    const lines = watch.lines[Symbol.asyncIterator]();
    assert.deepEqual(await take(lines, 1), [{ n: 1 }]);
    more.resolve();
    assert.deepEqual(await take(lines, 1), [{ n: 2 }]);
    await assert.rejects(take(lines, 1, 50), /0 of 1 within 50 ms/);
    await watch.close();
    await gone.promise;
  });

  test(`HTTP/${http}: the end of the response ends the lines`, async (t) => {
    const url = await serve(t, (_, response) => response.end('{"n":1}\n{"n":2}'));
    const seen: unknown[] = [];
    await using watch = await httpsStream(url, { ...trust(pki), http });
    for await (const line of watch.lines) seen.push(line);
    assert.deepEqual(seen, [{ n: 1 }, { n: 2 }]);
  });

  test(`HTTP/${http}: a broken connection is an error, not an end`, async (t) => {
    const isRead = Promise.withResolvers<void>();
    const url = await serve(t, (request, response) => {
      response.writeHead(200);
      response.write('{"n":1}\n');
      const { socket } = request.stream?.session ?? request;
      void isRead.promise.then(() => socket.destroy());
    });
    await using watch = await httpsStream(url, { ...trust(pki), http });
    const lines = watch.lines[Symbol.asyncIterator]();
    assert.deepEqual(await take(lines, 1), [{ n: 1 }]);
    isRead.resolve();
    await assert.rejects(take(lines, 1));
  });

  test(`HTTP/${http}: a silent server runs into the timeout`, async () => {
    await using scope = createScope('silent');
    const url = await serve(scope, () => undefined);
    const options = { ...trust(pki), http, timeoutMs: 100 };
    await assert.rejects(httpsRequest(url, options), /timeout|timed out/);
    await assert.rejects(httpsStream(url, options), /no headers within 100 ms/);
  });

  test(`HTTP/${http}: a certificate of another authority is refused`, async (t) => {
    const url = await serve(t, (_, response) => response.end('{}'));
    await assert.rejects(httpsRequest(url, { ca: pki.frontProxyCa.cert, http }), /certificate/);
  });

  test(`HTTP/${http}: a refused connection is an error with the URL`, async () => {
    await assert.rejects(
      httpsRequest('https://127.0.0.1:1/x', { http }),
      /127\.0\.0\.1:1.*REFUSED/,
    );
  });
}

test('a response that is not JSON is in the error message', async (t) => {
  const url = await serve(t, (_, response) => response.end('404 page not found'));
  const response = await httpsRequest(url, trust(pki));
  assert.throws(() => response.json(), /no JSON: 404 page not found/);
});

test('HTTP/2: a connection that closes before the response is an error', async (t) => {
  const url = await serve(t, (request) =>
    (request as Http2ServerRequest).stream.session?.destroy(),
  );
  await assert.rejects(httpsStream(url, { ...trust(pki), http: '2' }), ({ message }: Error) => {
    assert.doesNotMatch(message, /no headers within/, 'not only when the time is up');
    return true;
  });
});
