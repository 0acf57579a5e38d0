/** Malformed responses of a server behind a `proxy` subresource. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { defineApi, defineResource, version } from '@tributary/server/definition';
import { startTestServer } from '@tributary/server/testing';
import { proxyConnection } from './proxy.ts';

/** A pod that writes these bytes for every request, and a server with a proxy to it. */
async function startProxyTo(t: TestContext, write: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const pod = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.once('data', () => write(socket));
  }).listen(0, '127.0.0.1');
  await once(pod, 'listening');
  const { port } = pod.address() as AddressInfo;
  const Thing = defineResource({
    ...{ kind: 'Thing', plural: 'things', scope: 'Cluster' },
    subresources: {
      connections: {
        proxy: proxyConnection({
          ...{ of: 'thing', kind: 'ThingProxyOptions' },
          locate: async () => ({ scheme: 'http', address: '127.0.0.1', port }),
        }),
      },
    },
    versions: { v1: version({}) },
  });
  const server = await startTestServer(defineApi({ group: '', builtIn: true, resources: [Thing] }));
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    pod.close();
    await server.close();
  });
  await server.request('POST', '/api/v1/things', { body: { metadata: { name: 'a' } } });
  return server;
}

const PATH = '/api/v1/things/a/proxy/';
const STRANGE = [
  ...['TK: 1', 'TK: 2', 'HTTP2-Settings: AAMAAABk', 'constructor: x', '__proto__: x'],
  ...['Content-MD5: a', 'Content-MD5: b', 'Upgrade: h2c', 'ETag: "1"', 'ETag: "2"'],
];

test('strange headers of a pod leave an HTTP/2 client the code and the body', async (t) => {
  const head = `HTTP/1.1 203 OK\r\nContent-Length: 4\r\n${STRANGE.join('\r\n')}\r\n\r\n`;
  const server = await startProxyTo(t, (socket) => void socket.end(`${head}body`));
  await using port = await server.listen();
  const session = connectHttp2(`https://127.0.0.1:${port.port}`, { ca: port.ca });
  t.after(() => session.destroy());
  const stream = session.request({ ':path': PATH, authorization: `Bearer ${port.token}` });
  const [headers] = await once(stream, 'response');
  let body = '';
  for await (const chunk of stream) body += chunk;
  const { ':status': status, etag, tk } = headers;
  assert.deepEqual({ status, etag, tk, body }, { status: 203, etag: '"1"', tk: '1', body: 'body' });
});

const failures = [
  {
    name: 'a header with a control byte',
    write: (socket: Socket) =>
      void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Bad: a\x01b\r\n\r\n'),
    message:
      'error trying to reach service: net/http: HTTP/1.x transport connection broken: malformed MIME header line: "X-Bad: a\\x01b"',
  },
  {
    name: 'interim responses without end',
    write: (socket: Socket) => {
      const hints = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100);
      const more = (): void => {
        while (!socket.destroyed && socket.write(hints));
      };
      socket.on('drain', more);
      more();
    },
    message: 'error trying to reach service: net/http: too many 1xx informational responses',
  },
];
for (const { name, write, message } of failures) {
  test(`a pod that sends ${name} is a 503 with the reason`, async (t) => {
    const server = await startProxyTo(t, write);
    const response = await server.request<{ message: string }>('GET', PATH);
    assert.equal(response.status, 503);
    assert.equal(response.object.message, message);
  });
}
