import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { suite, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { eventually, turns } from '../../../../test/harness/index.ts';
import {
  connectTo,
  failureOf,
  get,
  startBackend,
  startRawBackend,
  type TestBackend,
  text,
  underWay,
} from '../../test/backend-fixture.ts';
import type { UpgradeResponse } from './backend.ts';

const HEAD =
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: SPDY/3.1\r\nConnection: Upgrade\r\nX-Two: a\r\nX-Two: b\r\n\r\n';
const request = get('/exec?command=sh', {
  use: 'watch',
  method: 'POST',
  headers: [
    ['connection', 'Upgrade'],
    ['upgrade', 'SPDY/3.1'],
    ['x-remote-group', 'a'],
    ['x-remote-group', 'b'],
    ['content-length', '0'],
  ],
});

/** Responds to a request with the test's bytes, and gives the request to the test. */
function responding(
  t: Parameters<typeof startRawBackend>[0],
  response: string,
  then?: (socket: TLSSocket) => void,
) {
  const heads: string[] = [];
  const started = startRawBackend(t, (socket) => {
    socket.on('error', () => {});
    socket.once('data', (head: Buffer) => {
      heads.push(head.toString());
      socket.write(response);
      if (then !== undefined) then(socket);
      else socket.once('end', () => socket.end());
    });
  });
  return started.then((server): TestBackend & { heads: string[] } => ({ ...server, heads }));
}

function upgraded(response: UpgradeResponse): Extract<UpgradeResponse, { kind: 'upgraded' }> {
  assert.ok(response.kind === 'upgraded', response.kind);
  return response;
}

suite('an upgrade', () => {
  test('an upgrade is sent unchanged, and returns the response headers and every byte behind them', async (t) => {
    const server = await responding(t, `${HEAD}early`, (socket) => socket.pipe(socket));
    const { backend, evidence } = connectTo(t, [server.target]);
    const { head, connection, status, target } = upgraded(await backend.upgrade(request));
    assert.equal(status, 101);
    assert.equal(Buffer.from(head).toString(), HEAD);
    assert.deepEqual(target, server.target);
    assert.deepEqual(evidence, [{ failure: undefined, target: server.target }]);
    assert.equal(
      server.heads[0],
      `POST /exec?command=sh HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nconnection: Upgrade\r\nupgrade: SPDY/3.1\r\nx-remote-group: a\r\nx-remote-group: b\r\ncontent-length: 0\r\n\r\n`,
    );
    const [early] = await once(connection, 'data');
    assert.equal(String(early), 'early');
    const sent = randomBytes(10 * 1024 * 1024);
    const hash = createHash('sha256');
    connection.on('data', (chunk) => hash.update(chunk));
    connection.end(sent);
    await once(connection, 'end');
    assert.equal(hash.digest('hex'), createHash('sha256').update(sent).digest('hex'));
  });

  test('either side of an upgraded connection may end first, and still reads', async (t) => {
    const server = await responding(t, HEAD, (socket) => {
      socket.end('bye');
      let rest = '';
      socket.on('data', (chunk) => {
        rest += chunk;
      });
      socket.once('end', () => server.heads.push(rest));
    });
    const { backend } = connectTo(t, [server.target]);
    const { connection } = upgraded(await backend.upgrade(request));
    let read = '';
    connection.on('data', (chunk) => {
      read += chunk;
    });
    await once(connection, 'end');
    assert.equal(read, 'bye');
    await turns(); // a half that ends with the other one does so by now
    assert.ok(connection.writable);
    connection.end('still here');
    await once(connection, 'close');
    await eventually('the server has evidence all', () => server.heads.length > 1);
    assert.equal(server.heads[1], 'still here');
  });

  const responses = [
    {
      name: 'with a length',
      text: 'HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno',
      status: 403,
      body: 'no',
    },
    {
      name: 'in chunks',
      text: 'HTTP/1.1 400 Bad\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nno\r\n0\r\n\r\n',
      status: 400,
      body: 'no',
    },
    { name: 'empty', text: 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', status: 200, body: '' },
  ];
  for (const { name, text: response, status, body } of responses) {
    test(`an upgrade with an ordinary response: ${name}`, async (t) => {
      const server = await responding(t, response);
      const { backend } = connectTo(t, [server.target]);
      const responded = await backend.upgrade(request);
      assert.ok(responded.kind === 'response');
      assert.equal(responded.status, status);
      assert.equal(await text(responded), body);
      await eventually('nobody keeps its connection', () => server.openConnections() === 0);
    });
  }

  const failures = [
    { name: 'garbage', response: 'hello there\r\n\r\n', hop: 'protocol' },
    {
      name: 'headers without end',
      response: `HTTP/1.1 101 x\r\nx: ${'y'.repeat(70_000)}`,
      hop: 'protocol',
    },
    { name: 'silence', response: '', hop: 'silent', upgradeTimeoutMs: 200 },
    { name: 'a closed connection', response: '', close: true, hop: 'reset' },
  ];
  for (const { name, response, hop, close, upgradeTimeoutMs = 60_000 } of failures) {
    test(`an upgrade that fails: ${name}`, async (t) => {
      const server = await responding(t, response, (socket) => {
        if (close === true) socket.destroy();
      });
      const { backend, metrics } = connectTo(t, [server.target], {
        limits: { upgradeTimeoutMs },
      });
      const failure = await failureOf(backend.upgrade(request));
      assert.equal(failure.hop, hop, failure.message);
      assert.equal(failure.maybeProcessed, true);
      await eventually('its place is free', () => underWay(metrics, 'watches') === 0);
    });
  }

  test('an upgraded connection counts as a watch until it is closed', async (t) => {
    const server = await responding(t, HEAD);
    const { backend, metrics } = connectTo(t, [server.target], {
      remote: { limits: { watchesMax: 1 } },
    });
    const { connection } = upgraded(await backend.upgrade(request));
    assert.equal((await failureOf(backend.upgrade(request))).hop, 'busy');
    connection.destroy();
    await eventually('its place is free', () => underWay(metrics, 'watches') === 0);
    upgraded(await backend.upgrade(request)).connection.destroy();
  });

  test('an upgrade is cancelled by its signal, before and while it waits', async (t) => {
    const server = await responding(t, '');
    const { backend } = connectTo(t, [server.target]);
    const reason = new Error('gone');
    const none = backend.upgrade({ ...request, signal: AbortSignal.abort(reason) });
    await assert.rejects(none, reason);
    const aborting = new AbortController();
    const waiting = backend.upgrade({ ...request, signal: aborting.signal });
    await eventually('the server has the request', () => server.heads.length === 1);
    aborting.abort(reason);
    await assert.rejects(waiting, reason);
    await eventually('its connection is closed', () => server.openConnections() === 0);
  });

  test('an upgrade uses HTTP/1.1 with a server of both protocols', async (t) => {
    const server = await startBackend(t, () => {});
    server.server.on('upgrade', (_incoming, socket) => socket.end(`${HEAD}x`));
    const { backend } = connectTo(t, [server.target]);
    const { connection } = upgraded(await backend.upgrade(request));
    assert.equal(String((await once(connection, 'data'))[0]), 'x');
    connection.destroy();
  });
});
