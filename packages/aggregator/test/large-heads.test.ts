/** Requests with large heads: whatever a server makes of them, other requests do not notice. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Status } from '@tributary/apimachinery';
import { defer } from '../../../test/harness/index.ts';
import {
  connectTo,
  failureOf,
  get,
  SERVER_NAME,
  serving,
  startBackend,
  text,
} from '../../proxy/test/backend-fixture.ts';
import { backendsAt, flunders, registration, startProxy } from './proxy-fixture.ts';

const large = (bytes: number) => 'x'.repeat(bytes);

const heads: readonly { name: string; path?: string; headers?: [string, string][] }[] = [
  { name: 'a path of 100 KB', path: `/?fieldSelector=${large(100_000)}` },
  { name: 'a path of 900 KB', path: `/?fieldSelector=${large(900_000)}` },
  { name: 'a header of 70 KB', headers: [['x-large', large(70_000)]] },
  { name: 'a header of 900 KB', headers: [['x-large', large(900_000)]] },
  {
    name: 'three thousand headers of 300 bytes',
    headers: Array.from({ length: 3000 }, (_, at) => ['x-remote-group', `${at}${large(280)}`]),
  },
];

for (const { name, path = '/', headers = [] } of heads) {
  test(`a request with ${name} has a connection of HTTP/1.1 of its own, and a watch beside it lives on`, async (t) => {
    const server = await startBackend(t, ({ httpVersion, url, rawHeaders }, response) => {
      if (url === '/watch') response.write('first');
      else response.end(`${httpVersion} ${url?.length} ${rawHeaders.join('').length > 60_000}`);
    });
    const { backend } = connectTo(t, [server.target]);
    const watch = await backend.send(get('/watch', { method: 'POST' }));
    const events = watch.body[Symbol.asyncIterator]();
    await events.next();
    const response = await backend.send(get(path, { headers }));
    assert.equal(await text(response), `1.1 ${path.length} ${headers.length > 0}`);
    // Small reads have connections of HTTP/1.1; everything else shares the session of the watch.
    assert.match(await text(await backend.send(get('/', { method: 'PUT' }))), /^2\.0 /);
    const after = events.next();
    await backend.send(get('/', { method: 'PUT' })).then(text);
    const pending = await Promise.race([after, Promise.resolve('still open')]);
    assert.equal(pending, 'still open');
    watch.cancel();
    await after.catch(() => {});
  });
}

test('a server that takes less over HTTP/1.1 than over HTTP/2 gets a large head over a session of its own', async (t) => {
  const server = await startBackend(
    t,
    ({ httpVersion, rawHeaders }, response) => {
      response.end(`${httpVersion} ${rawHeaders.filter((name) => name === 'x-group').length}`);
    },
    { maxHeaderSize: 16 * 1024 } as object,
  );
  Object.assign(server.server, { maxHeaderSize: 16 * 1024 });
  const { backend } = connectTo(t, [server.target]);
  const headers = Array.from({ length: 100 }, (): [string, string] => ['x-group', large(700)]);
  for (const method of ['GET', 'DELETE', 'GET']) {
    assert.equal(await text(await backend.send(get('/', { method, headers }))), '2.0 100');
  }
});

async function startHttp2Only(
  t: TestContext,
  handler: (request: Http2ServerRequest, response: Http2ServerResponse) => void,
) {
  const { cert, key } = serving;
  const server = createSecureServer({ cert, key }, handler);
  const sessions: ServerHttp2Session[] = [];
  server.on('session', (session) => {
    sessions.push(session);
    session.on('error', () => {});
  });
  server.on('sessionError', () => {}).on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  defer(t, async () => {
    for (const session of sessions) session.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { target: { host: '127.0.0.1', port, serverName: SERVER_NAME }, sessions, port };
}

test('a server without HTTP/1.1 that refuses a large head says so to that request alone', async (t) => {
  const { target, sessions } = await startHttp2Only(t, ({ url }, response) => {
    if (url === '/watch') response.write('first');
    else response.end('fine');
  });
  const { backend, evidence } = connectTo(t, [target]);
  const watch = await backend.send(get('/watch', { method: 'POST' }));
  const events = watch.body[Symbol.asyncIterator]();
  await events.next();
  for (let round = 0; round < 3; round += 1) {
    const failure = await failureOf(backend.send(get(`/?${large(100_000)}`)));
    assert.equal(failure.hop, 'head');
    assert.equal(await text(await backend.send(get('/', { method: 'PUT' }))), 'fine');
  }
  assert.equal(sessions.filter(({ destroyed }) => !destroyed).length, 1);
  assert.deepEqual(
    evidence.map(({ failure }) => failure?.hop).filter((hop) => hop !== undefined),
    [],
    'it says nothing about the server',
  );
  watch.cancel();
});

test('a server without HTTP/1.1 gets what it takes over a session of its own', async (t) => {
  const { target, sessions } = await startHttp2Only(t, ({ rawHeaders }, response) => {
    response.end(String(rawHeaders.filter((name) => name === 'x-group').length));
  });
  const { backend } = connectTo(t, [target]);
  const headers = Array.from({ length: 100 }, (): [string, string] => ['x-group', large(700)]);
  assert.equal(await text(await backend.send(get('/', { headers }))), '100');
  assert.equal(await text(await backend.send(get('/'))), '0');
  assert.equal(sessions.length, 2);
});

test('a head that no connection of a server takes is 431 for its client', async (t) => {
  const { port } = await startHttp2Only(t, (_, response) => void response.end());
  const backends = backendsAt(port);
  const { remote, ...rest } = registration();
  assert.ok(remote);
  const unverified = { ...rest, remote: { ...remote, insecureSkipTlsVerify: true } };
  await using fixture = await startProxy({ backends, registrations: [unverified] });
  const response = await fixture.request(`${flunders}?fieldSelector=${large(100_000)}`);
  assert.equal(response.status, 431);
  assert.match((response.json() as Status).message ?? '', /^Request Header Fields Too Large/);
  const unknown = await fixture.request(flunders);
  assert.equal(unknown.status, 200);
});

test('what a session did not process when it ended is sent again, writes too', async (t) => {
  let count = 0;
  const { target } = await startHttp2Only(t, (request, response) => {
    count += 1;
    // The first request ends the session with an error: of the others it says that it has not seen them.
    if (request.url === '/poison') {
      const { session, id = 1 } = request.stream as never as {
        session: ServerHttp2Session;
        id: number;
      };
      session.goaway(9, id);
      return;
    }
    response.end(`served ${request.method}`);
  });
  const { backend } = connectTo(t, [target]);
  await backend.send(get('/')).then(text);
  const poison = failureOf(backend.send(get('/poison', { method: 'POST' })));
  const writes = ['POST', 'PUT', 'PATCH'].map((method) =>
    backend.send(get('/', { method, body: Buffer.from('{}') })).then(text),
  );
  assert.deepEqual(await Promise.all(writes), ['served POST', 'served PUT', 'served PATCH']);
  assert.equal((await poison).maybeProcessed, true);
  assert.ok(count >= 5);
});
