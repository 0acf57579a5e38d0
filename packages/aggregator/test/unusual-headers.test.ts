/**
 * Headers that a backend may send and Node refuses to write: each client gets a response, and no other client is
 * affected.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { request as httpsRequestOf } from 'node:https';
import { test } from 'node:test';
import type { Status } from '@tributary/apimachinery';
import { type Behaviour, flunders, type ProxyFixture, startProxy } from './proxy-fixture.ts';

const STRANGE = [
  ...[
    'TK: 1',
    'TK: 2',
    'HTTP2-Settings: AAMAAABk',
    'constructor: x',
    '__proto__: x',
    'toString: x',
  ],
  ...['hasOwnProperty: x', 'Content-MD5: a', 'Content-MD5: b', 'ETag: "1"', 'ETag: "2"'],
  ...[
    'Keep-Alive: timeout=1',
    'Proxy-Connection: x',
    'Upgrade: h2c',
    'TE: gzip',
    'DNT: 1',
    'DNT: 0',
  ],
];
const strange = `${STRANGE.join('\r\n')}\r\n`;
const plain = 'Content-Type: text/plain\r\n';

/** Writes the bytes as they are, and closes. */
function raw(text: string): Behaviour {
  return ({ socket }) => void socket.end(text, 'latin1');
}

const places: readonly { name: string; text: string }[] = [
  {
    name: 'an interim response',
    text: `HTTP/1.1 103 Early Hints\r\n${strange}Link: a\r\n\r\nHTTP/1.1 200 OK\r\n${plain}Content-Length: 4\r\n\r\nbody`,
  },
  {
    name: 'trailers',
    text: `HTTP/1.1 200 OK\r\n${plain}Transfer-Encoding: chunked\r\nTrailer: x-sum\r\n\r\n4\r\nbody\r\n0\r\n${strange}X-Sum: 42\r\n\r\n`,
  },
  {
    name: 'a final response',
    text: `HTTP/1.1 200 OK\r\n${plain}Content-Length: 4\r\n${strange}\r\nbody`,
  },
  {
    name: 'a final response without a length',
    text: `HTTP/1.1 200 OK\r\n${plain}${strange}Connection: close\r\n\r\nbody`,
  },
];

for (const http of ['1.1', '2'] as const) {
  for (const method of ['GET', 'POST']) {
    for (const { name, text } of places) {
      test(`strange headers in ${name} leave a ${method} over HTTP/${http} its code and body`, async () => {
        await using fixture = await startProxy({ behaviour: raw(text) });
        // The second GET goes over a connection that is kept for reads.
        for (let round = 0; round < 3; round += 1) {
          const received = await everythingOf(fixture, http, method);
          assert.equal(received.status, 200);
          assert.equal(received.body, 'body');
          if (name === 'trailers') assert.equal(received.trailers['x-sum'], '42');
          if (name === 'an interim response') assert.deepEqual(received.interim, [103]);
          if (name.startsWith('a final')) {
            const { etag, tostring } = received.headers;
            assert.deepEqual({ etag, tostring }, { etag: '"1"', tostring: 'x' });
          }
          for (const part of [received.headers, received.trailers]) {
            for (const gone of ['http2-settings', 'upgrade', 'proxy-connection', 'te']) {
              assert.equal(part[gone], undefined, gone);
            }
          }
        }
        assert.deepEqual(fixture.bugs, []);
      });
    }
  }
}

interface Received {
  readonly status: number | undefined;
  readonly headers: Record<string, unknown>;
  readonly trailers: Record<string, unknown>;
  readonly interim: readonly number[];
  readonly body: string;
}

async function everythingOf(
  { url, pki }: ProxyFixture,
  http: '1.1' | '2',
  method: string,
): Promise<Received> {
  const interim: number[] = [];
  if (http === '1.1') {
    const outgoing = httpsRequestOf(url + flunders, {
      ...{ ca: pki.ca.cert, agent: false, method, headers: { te: 'trailers' } },
    });
    outgoing.on('information', ({ statusCode }) => interim.push(statusCode));
    const [incoming] = await once(outgoing.end(), 'response');
    let body = '';
    for await (const chunk of incoming) body += chunk;
    const { statusCode: status, headers, trailers } = incoming;
    return { status, headers, trailers, interim, body };
  }
  const session = connect(url, { ca: pki.ca.cert });
  try {
    const head = { ':path': flunders, ':method': method, te: 'trailers' };
    const stream = session.request(head, { endStream: true });
    let trailers = {};
    stream.on('headers', (headers) => void interim.push(Number(headers[':status'])));
    stream.on('trailers', (headers) => {
      trailers = headers;
    });
    const [headers] = await once(stream, 'response');
    let body = '';
    for await (const chunk of stream) body += chunk;
    return { status: headers[':status'], headers, trailers, interim, body };
  } finally {
    session.destroy();
  }
}

const CONTROL = ['a\x01b', 'a\x7fb', 'a\x0bb', 'a\x00b'];
for (const http of ['1.1', '2'] as const) {
  for (const value of CONTROL) {
    test(`over HTTP/${http} a header of a server with the byte ${value.charCodeAt(1)} is a 503 with the reason`, async () => {
      const text = `HTTP/1.1 200 OK\r\n${plain}Content-Length: 4\r\nX-Bad: ${value}\r\n\r\nbody`;
      await using fixture = await startProxy({ behaviour: raw(text) });
      for (const method of ['GET', 'GET', 'GET', 'POST']) {
        const response = await fixture.request(flunders, { http, method });
        assert.equal(response.status, 503);
        const { kind, reason, message } = response.json() as Status;
        assert.deepEqual({ kind, reason }, { kind: 'Status', reason: 'ServiceUnavailable' });
        assert.match(message ?? '', /^error trying to reach service: .*malformed MIME header/);
      }
      assert.deepEqual(fixture.bugs, []);
    });
  }
}
