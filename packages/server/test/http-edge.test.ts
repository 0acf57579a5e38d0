/** Requests as HTTP allows them, or does not; the answers are those of kube-apiserver. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { connect } from 'node:tls';
import {
  createPki,
  eventually,
  runSource,
  startProcess,
  temporaryDirectory,
} from '../../../test/harness/index.ts';
import { listen } from '../src/http/listener/listener.ts';
import { serveExchanges } from '../src/http/listener/serve-exchanges.ts';
import { textResponse } from '../src/request/respond.ts';
import { type ListenerFixture, startListener } from './listener-fixture.ts';
import { startFixture } from './server-fixture.ts';

/** Everything that comes back for these bytes, until the connection is closed. */
async function rawResponse(
  { port, pki }: Pick<ListenerFixture, 'port' | 'pki'>,
  bytes: string,
): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', ca: pki.ca.cert, ALPNProtocols: ['http/1.1'] });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  socket.write(bytes);
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  await once(socket, 'close');
  return text;
}

const echo = () =>
  startListener(async ({ method, path, target, info, query }) =>
    textResponse(200, JSON.stringify([method, path, target, info.verb, info.path, query.size])),
  );
const CLOSE = 'Host: a\r\nConnection: close\r\n\r\n';

const served = [
  {
    line: 'GET https://127.0.0.1:6443/version HTTP/1.1',
    want: ['GET', '/version', '/version', 'get', '/version', 0],
  },
  {
    line: 'GET http://a.example.com/api?x=1 HTTP/1.1',
    want: ['GET', '/api', '/api?x=1', 'get', '/api', 1],
  },
  { line: 'GET https://127.0.0.1:6443 HTTP/1.1', want: ['GET', '', '', 'get', '', 0] },
  { line: 'CONNECT 127.0.0.1:6443 HTTP/1.1', want: ['CONNECT', '', '', 'connect', '', 0] },
  {
    line: 'CONNECT /version HTTP/1.1',
    want: ['CONNECT', '/version', '/version', 'connect', '/version', 0],
  },
];
for (const { line, want } of served) {
  test(`${line} is served`, async () => {
    await using fixture = await echo();
    const text = await rawResponse(fixture, `${line}\r\n${CLOSE}`);
    assert.match(text, /^HTTP\/1\.1 200 /);
    assert.deepEqual(JSON.parse(text.slice(text.indexOf('\r\n\r\n'))), want);
  });
}

const refused = [
  { name: 'two Host lines', bytes: `GET / HTTP/1.1\r\nHost: a\r\n${CLOSE}`, code: 400 },
  { name: 'no Host line', bytes: 'GET / HTTP/1.1\r\n\r\n', code: 400 },
  { name: 'a Host with a space', bytes: 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n', code: 400 },
  {
    name: 'two Host lines and an upgrade',
    bytes: `GET / HTTP/1.1\r\nHost: b\r\nUpgrade: x\r\nConnection: upgrade\r\n${CLOSE}`,
    code: 400,
  },
  { name: 'HTTP/0.9', bytes: 'GET /\r\n\r\n', code: 400 },
  { name: 'HTTP/2.0', bytes: 'GET / HTTP/2.0\r\nHost: a\r\n\r\n', code: 505 },
];
for (const { name, bytes, code } of refused) {
  test(`a request with ${name} is ${code}, and its connection is closed`, async () => {
    await using fixture = await echo();
    const text = await rawResponse(fixture, bytes);
    assert.match(text, new RegExp(`^HTTP/1\\.1 ${code} `));
    assert.deepEqual(fixture.bugs, []);
  });
}

test('CONNECT by a client without credentials is 403, as by kube-apiserver', async () => {
  await using fixture = await startFixture();
  const { port } = fixture.server;
  const text = await rawResponse(
    { ...fixture, port },
    `CONNECT 127.0.0.1:${port} HTTP/1.1\r\n${CLOSE}`,
  );
  assert.match(text, /^HTTP\/1\.1 403 /);
  assert.match(text, /forbidden: User \\"system:anonymous\\" cannot connect path \\"\\"/);
});

test('CONNECT over HTTP/2 is served like any other method', async () => {
  await using fixture = await echo();
  const session = connectHttp2(fixture.url, { ca: fixture.pki.ca.cert });
  const stream = session.request({ ':method': 'CONNECT', ':authority': '127.0.0.1:1' });
  const [head] = await once(stream, 'response');
  assert.equal(head[':status'], 200);
  stream.destroy();
  session.destroy();
});

const slow = [
  { name: 'sends nothing after its handshake', alpn: 'http/1.1', bytes: '' },
  { name: 'sends half of a head', alpn: 'http/1.1', bytes: 'GET / HTTP/1.1\r\nHost: a\r\nX: ' },
  { name: 'sends no preface of HTTP/2', alpn: 'h2', bytes: '' },
  { name: 'sends half of the preface of HTTP/2', alpn: 'h2', bytes: 'PRI * HTTP/2.0\r\n' },
];
for (const { name, alpn, bytes } of slow) {
  test(`a client that ${name} is closed`, async (t) => {
    const pki = createPki();
    const listener = await listen({
      ...{ address: '127.0.0.1', port: 0, headerTimeoutMs: 50 },
      ...{ certificate: pki.server.cert, privateKey: pki.server.key },
      serve: serveExchanges({
        handler: () => textResponse(200, 'never'),
        bodyBytesMax: 1,
        reportBug: () => {},
      }),
    });
    t.after(() => listener.close(0));
    const { port } = listener;
    const socket = connect({ port, host: '127.0.0.1', ca: pki.ca.cert, ALPNProtocols: [alpn] });
    socket.on('error', () => {});
    await once(socket, 'secureConnect');
    if (bytes !== '') socket.write(bytes);
    socket.resume();
    await once(socket, 'close');
  });
}

test('running out of file descriptors is logged', async (t: TestContext) => {
  const directory = await temporaryDirectory(t, 'descriptors-');
  const { command, args } = runSource(join(import.meta.dirname, 'weather-program.ts'), [
    '--secure-port=0',
    `--data-dir=${join(directory, 'data')}`,
  ]);
  const program = await startProcess(t, {
    name: 'weather',
    command: 'sh',
    args: ['-c', 'ulimit -n 120; exec "$@"', 'sh', command, ...args],
  });
  const [, url = ''] = await program.waitForLog(/is ready at (https:\S+)/);
  const port = Number(new URL(url).port);
  const sockets = Array.from({ length: 150 }, () =>
    connect({ port, host: '127.0.0.1', rejectUnauthorized: false }).on('error', () => {}),
  );
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  await program.waitForLog(/nearly all of the 120 files and sockets/);
  for (const socket of sockets) socket.destroy();
  await eventually('the server answers again', async () => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
    const outcome = await Promise.race([
      once(socket, 'secureConnect').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    return outcome;
  });
});
