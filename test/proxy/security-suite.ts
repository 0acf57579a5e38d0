/**
 * Attacks that a proxy prevents: a client that speaks for another user or sends a second request within one, a backend
 * that puts bytes into another client's response, and connections that never end. Every user of the proxy runs it.
 */
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { suite, type TestContext, test } from 'node:test';
import { createPki, eventually } from '../harness/index.ts';
import { type RawBackend, type Respond, startRawBackend, valuesOf } from './raw-backend.ts';
import { headerOf, open, type RequestText, request, send, statusOf } from './raw-client.ts';
import type { Front, ProxyUser } from './users.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok';
const ok: Respond = (socket) => void socket.write(OK);

/** Of the client's own connection and identity: no byte of a value may reach the backend. */
const CLIENT_HEADERS: readonly { name: string; headers: readonly string[] }[] = [
  {
    name: 'identity headers',
    headers: [
      ...['X-Remote-User: evil', 'x-remote-GROUP: evil', 'X-Remote-Uid: evil'],
      ...['X-Remote-Extra-Scopes: evil', 'Impersonate-Later: evil'],
    ],
  },
  {
    name: 'hop-by-hop headers',
    headers: [
      ...['Keep-Alive: evil', 'Proxy-Connection: evil', 'Proxy-Authorization: evil'],
      ...['Proxy-Authenticate: evil', 'TE: evil', 'Trailer: evil', 'HTTP2-Settings: evil'],
    ],
  },
  {
    name: 'headers that Connection names',
    headers: ['Connection: X-Evil, x-Other', 'X-Evil: evil', 'X-OTHER: evil'],
  },
];

/** One request of which a careless reader makes two, or reads another header. */
const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nX-Remote-User: evil\r\n\r\n';
const SMUGGLING: readonly { name: string; headers: readonly string[]; body: string }[] = [
  {
    name: 'Content-Length with Transfer-Encoding',
    headers: ['Content-Length: 5', 'Transfer-Encoding: chunked'],
    body: `0\r\n\r\n${SMUGGLED}`,
  },
  {
    name: 'Transfer-Encoding with a short Content-Length',
    headers: ['Transfer-Encoding: chunked', 'Content-Length: 4'],
    body: `${SMUGGLED.length.toString(16)}\r\n${SMUGGLED}\r\n0\r\n\r\n`,
  },
  {
    name: 'two values of Content-Length',
    headers: ['Content-Length: 0', `Content-Length: ${SMUGGLED.length}`],
    body: SMUGGLED,
  },
  { name: 'a list in Content-Length', headers: ['Content-Length: 0, 9'], body: SMUGGLED },
  { name: 'a signed Content-Length', headers: ['Content-Length: +0'], body: SMUGGLED },
  {
    name: 'a space before the colon',
    headers: ['Content-Length: 0', 'Transfer-Encoding : chunked'],
    body: `0\r\n\r\n${SMUGGLED}`,
  },
  {
    name: 'an unknown transfer coding',
    headers: ['Transfer-Encoding: xchunked'],
    body: `0\r\n\r\n${SMUGGLED}`,
  },
  {
    name: 'chunked, and then another coding',
    headers: ['Transfer-Encoding: chunked, identity'],
    body: `0\r\n\r\n${SMUGGLED}`,
  },
  {
    name: 'Connection names Content-Length',
    headers: ['Connection: Content-Length', `Content-Length: ${SMUGGLED.length}`],
    body: SMUGGLED,
  },
  {
    name: 'Connection names Transfer-Encoding and Host',
    headers: ['Connection: Transfer-Encoding, Host', 'Transfer-Encoding: chunked'],
    body: `${SMUGGLED.length.toString(16)}\r\n${SMUGGLED}\r\n0\r\n\r\n`,
  },
  { name: 'a folded header', headers: ['X-A: b\r\n X-Remote-User: evil'], body: '' },
  { name: 'a bare line feed', headers: ['X-A: b\nX-Remote-User: evil'], body: '' },
  { name: 'a bare carriage return', headers: ['X-A: b\rX-Remote-User: evil'], body: '' },
  { name: 'a zero byte', headers: ['X-A: b\0X-Remote-User: evil'], body: '' },
];

/** A backend that must not be believed: an error for the client, and nothing of the rest. */
const BROKEN: readonly { name: string; text: string }[] = [
  { name: 'no HTTP', text: 'SSH-2.0-evil\r\n\r\n' },
  {
    name: 'a status code of HTTP that nothing has',
    text: 'HTTP/1.1 700 Evil\r\nContent-Length: 4\r\n\r\nevil',
  },
  {
    name: 'two lengths',
    text: 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 9\r\n\r\nevil-more',
  },
  { name: 'a negative length', text: 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nevil' },
  {
    name: 'a length with a transfer coding',
    text: 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nevil\r\n0\r\n\r\n',
  },
  {
    name: 'a control byte in a header',
    text: 'HTTP/1.1 200 OK\r\nX-A: \x01evil\r\nContent-Length: 4\r\n\r\nevil',
  },
  {
    name: 'a protocol that was not requested',
    text: 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: evil\r\n\r\nevil',
  },
];

export function proxySecuritySuite(user: ProxyUser): void {
  const start = async (t: TestContext, respond: Respond): Promise<[Front, RawBackend]> => {
    const pki = createPki();
    const backend = await startRawBackend(t, respond, user.tls ? pki : undefined);
    return [await user.start(t, backend.port, pki), backend];
  };
  suite(`${user.name} as a proxy`, () => {
    requestTests(start);
    responseTests(start);
    upgradeTests(start);
    slowBackendTests(start);
  });
}

type Start = (t: TestContext, respond: Respond) => Promise<[Front, RawBackend]>;

function requestTests(start: Start): void {
  test('a request and its body arrive, and so does the response', async (t) => {
    const [front, backend] = await start(t, ok);
    const headers = ['Content-Length: 4', 'X-End-To-End: yes', 'TE: trailers'];
    const response = await send(front, { method: 'POST', below: '/a', headers, body: 'body' });
    assert.deepEqual([statusOf(response), response.endsWith('\r\n\r\nok')], [200, true]);
    const [received] = backend.requests;
    assert.equal(received?.body, 'body');
    assert.deepEqual(valuesOf(received, 'x-end-to-end'), ['yes']);
    assert.deepEqual(valuesOf(received, 'te'), ['trailers']);
    assert.equal(valuesOf(received, 'host').length, 1);
  });

  for (const { name, headers } of CLIENT_HEADERS) {
    for (const connection of ['close', 'Upgrade, close']) {
      const isUpgrade = connection !== 'close';
      if (isUpgrade && name !== 'identity headers') continue;
      test(`${name} of a client are not forwarded${isUpgrade ? ' with an upgrade' : ''}`, async (t) => {
        const [front, backend] = await start(t, (socket) => void socket.end(OK));
        const more = isUpgrade ? ['Upgrade: echo'] : [];
        await send(front, { below: '/a', connection, headers: [...headers, ...more] });
        assert.equal(backend.requests.length, 1);
        assert.doesNotMatch(backend.received(), /evil/i);
        const [secret = ''] = front.authorization;
        assert.ok(!backend.received().includes(secret.slice('Authorization: Bearer '.length)));
      });
    }
  }

  for (const { name, headers, body } of SMUGGLING) {
    test(`a request with ${name} is one request or an error`, async (t) => {
      const [front, backend] = await start(t, ok);
      const response = await send(front, { method: 'POST', below: '/a', headers, body });
      assert.ok(backend.requests.length <= 1, 'the backend received more than one request');
      for (const received of backend.requests) {
        assert.doesNotMatch(received.line, /smuggled/);
        assert.ok(!valuesOf(received, 'x-remote-user').includes('evil'));
      }
      assert.equal(response.split('HTTP/1.1 200 OK').length <= 2, true);
    });
  }
}

function responseTests(start: Start): void {
  test('headers of the connection to a backend do not reach the client', async (t) => {
    const [front] = await start(t, (socket) => {
      const headers = [
        ...['Connection: keep-alive, X-Secret', 'X-Secret: evil', 'Keep-Alive: evil'],
        ...['Proxy-Authenticate: evil', 'Upgrade: evil', 'Proxy-Connection: evil', 'TE: evil'],
        ...['Access-Control-Allow-Origin: evil', 'X-Own: yes', 'Content-Type: text/plain'],
      ];
      socket.write(`HTTP/1.1 200 OK\r\n${headers.join('\r\n')}\r\nContent-Length: 2\r\n\r\nok`);
    });
    const response = await send(front, { below: '/a' });
    assert.equal(statusOf(response), 200);
    assert.equal(headerOf(response, 'x-own'), 'yes');
    assert.doesNotMatch(response, /evil/);
  });

  test('interim responses and trailers reach the client without headers of the connection', async (t) => {
    const [front] = await start(t, (socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nLink: a\r\nKeep-Alive: evil\r\n\r\n');
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n');
      socket.write('Trailer: X-Sum\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 42\r\nKeep-Alive: evil\r\n');
      socket.write('Proxy-Authenticate: evil\r\nContent-Type: evil\r\n\r\n');
    });
    const response = await send(front, { below: '/a', headers: ['TE: trailers'] });
    assert.match(response, /^HTTP\/1\.1 103 [^\r]*\r\n(?:.*\r\n)*?Link: a\r\n/i);
    assert.match(response, /\r\nHTTP\/1\.1 200 OK\r\n/);
    assert.match(response, /\r\n0\r\nX-Sum: 42\r\n\r\n$/i);
    assert.doesNotMatch(response, /evil/);
  });

  test('trailers that frame a message do not reach the client', async (t) => {
    const [front] = await start(t, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n');
      socket.write('Content-Length: 40\r\nTransfer-Encoding: evil\r\n\r\n');
    });
    const response = await send(front, { below: '/a', headers: ['TE: trailers'] });
    assert.doesNotMatch(response, /evil|: 40/);
  });

  test('interim responses without end are an error', async (t) => {
    const [front] = await start(t, (socket) => {
      const hints = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100);
      const more = (): void => {
        while (!socket.destroyed && socket.write(hints));
      };
      socket.on('drain', more);
      more();
    });
    assert.match(await send(front, { below: '/a' }), /HTTP\/1\.1 503 /);
  });

  for (const { name, text } of BROKEN) {
    test(`a backend that responds with ${name} is an error, and its bytes are not forwarded`, async (t) => {
      const [front] = await start(t, (socket) => void socket.end(text, 'latin1'));
      const response = await send(front, { below: '/a' });
      assert.match(String(statusOf(response)), /^50[023]$/);
      assert.ok(!response.includes('\r\n\r\nevil'));
    });
  }

  test('bytes behind a response are in no response of another request', async (t) => {
    const [front] = await start(t, (socket, _, count) => {
      if (count === 1) socket.write(`${OK}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil`);
      else socket.write(OK);
    });
    for (let round = 0; round < 4; round += 1) {
      assert.doesNotMatch(await send(front, { below: `/${round}` }), /evil/);
    }
  });

  test('a response that breaks off is never complete for the client', async (t) => {
    const [front] = await start(t, (socket) => {
      const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked';
      socket.end(`${head}\r\n\r\n4\r\npart\r\n`);
    });
    const response = await send(front, { below: '/a' });
    assert.ok(!response.endsWith('0\r\n\r\n'));
  });
}

function upgradeTests(start: Start): void {
  const upgradeTo = (protocol: string, more: RequestText = {}): RequestText => ({
    ...more,
    below: '/a',
    connection: 'Upgrade',
    headers: [`Upgrade: ${protocol}`, ...(more.headers ?? [])],
  });
  const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n';
  const echo = (socket: Socket): void => {
    socket.write(SWITCH);
    socket.on('data', (text) => void socket.write(text));
  };

  test('an upgraded connection goes both ways, and ends with either side', async (t) => {
    const [front, backend] = await start(t, echo);
    const client = await open(front, request(front, upgradeTo('echo')));
    await client.until((text) => text.endsWith('\r\n\r\n'));
    client.socket.write('there and back');
    await client.until((text) => text.endsWith('there and back'));
    client.socket.destroy();
    await untilLeft(backend);
  });

  test('an upgrade to HTTP/2 in cleartext is not forwarded as one', async (t) => {
    const [front, backend] = await start(t, ok);
    const headers = ['HTTP2-Settings: AAMAAABk'];
    const connection = 'Upgrade, HTTP2-Settings, close';
    const text = request(front, { ...upgradeTo('h2c', { headers }), connection });
    const client = await open(front, text);
    await client.until((received) => received.includes('HTTP/1.1 '));
    client.socket.destroy();
    for (const received of backend.requests) {
      assert.deepEqual(valuesOf(received, 'upgrade'), []);
      assert.deepEqual(valuesOf(received, 'http2-settings'), []);
    }
  });

  test('an upgrade with a body is an error, and no byte of the body is forwarded', async (t) => {
    const [front, backend] = await start(t, echo);
    const headers = [`Content-Length: ${SMUGGLED.length}`];
    const text = request(front, upgradeTo('echo', { method: 'POST', headers, body: SMUGGLED }));
    const client = await open(front, text);
    const response = await client.until((received) => received.includes('\r\n\r\n'));
    assert.ok(statusOf(response) >= 400);
    assert.doesNotMatch(backend.received(), /smuggled/);
    client.socket.destroy();
  });

  test('a backend that does not change its protocol gets no more bytes of the client', async (t) => {
    const [front, backend] = await start(t, ok);
    const client = await open(front, `${request(front, upgradeTo('echo'))}`);
    const response = await client.until((received) => received.includes('\r\n\r\n'));
    assert.ok(statusOf(response) >= 500);
    client.socket.write(SMUGGLED);
    client.socket.destroy();
    await untilLeft(backend);
    assert.doesNotMatch(backend.received(), /smuggled/);
  });
}

function slowBackendTests(start: Start): void {
  const leave = async (
    [front, backend]: [Front, RawBackend],
    isThere: (text: string) => boolean,
  ): Promise<void> => {
    const client = await open(front, request(front, { below: '/a' }));
    await eventually('the request', () => backend.requests.length === 1);
    await client.until(isThere);
    client.socket.destroy();
    await untilLeft(backend);
  };

  test('a backend that never responds is left with its client', async (t) => {
    await leave(await start(t, () => {}), () => true);
  });

  test('a response without end is left with its client', async (t) => {
    const endless: Respond = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n');
      const more = (): void => {
        while (!socket.destroyed && socket.write('x'.repeat(16_384)));
      };
      socket.on('drain', more);
      more();
    };
    await leave(await start(t, endless), (text) => text.length > 100_000);
  });

  test('headers without end are an error', async (t) => {
    const [front] = await start(t, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const header = `X-A: ${'x'.repeat(8000)}\r\n`;
      const more = (): void => {
        while (!socket.destroyed && socket.write(header));
      };
      socket.on('drain', more);
      more();
    });
    assert.match(String(statusOf(await send(front, { below: '/a' }))), /^50[023]$/);
  });
}

function untilLeft(backend: RawBackend): Promise<boolean> {
  return eventually('no connection to the backend', () => backend.openSockets() === 0);
}
