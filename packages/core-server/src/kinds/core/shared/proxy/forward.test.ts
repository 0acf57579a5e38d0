/** Requests that are forwarded to a real server, and its responses. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { after, before, test } from 'node:test';
import { connect } from 'node:tls';
import { defineApi, defineResource, version } from '@tributary/server/definition';
import { startTestServer, type TestServer } from '@tributary/server/testing';
import { forward } from './forward.ts';
import { proxyConnection } from './proxy.ts';

let server: TestServer;
let backendPort = 0;
const backend = createServer(respond);

const Thing = defineResource({
  kind: 'Thing',
  plural: 'things',
  scope: 'Cluster',
  subresources: {
    connections: {
      proxy: proxyConnection({
        of: 'thing',
        kind: 'ThingProxyOptions',
        locate: async ({ scheme, port }) => ({
          scheme,
          address: '127.0.0.1',
          port: port === '' ? backendPort : Number(port),
        }),
      }),
      stream: {
        connect: ({ request }) =>
          forward(
            request,
            { scheme: 'http', address: '127.0.0.1', port: backendPort, target: '/stream' },
            { upgradeRequired: true },
          ),
      },
    },
  },
  versions: { v1: version({}) },
});

function respond(request: IncomingMessage, response: ServerResponse): void {
  if (request.url === '/moved') {
    response.writeHead(302, { location: '/elsewhere' }).end();
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method, url, headers } = request;
    const received = { method, url, headers, body: Buffer.concat(chunks).toString() };
    response.setHeader('x-own', 'kept');
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('connection', 'x-private');
    response.setHeader('x-private', 'not for others');
    response.writeHead(418, { 'content-type': 'application/json' });
    response.end(JSON.stringify(received));
  });
}

before(async () => {
  backend.on('upgrade', (request, socket, head) => {
    if (request.headers.upgrade === 'refused') {
      socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\nno');
      return;
    }
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n',
    );
    socket.write(head);
    socket.pipe(socket);
  });
  backend.listen(0, '127.0.0.1');
  await once(backend, 'listening');
  backendPort = (backend.address() as AddressInfo).port;
  server = await startTestServer(defineApi({ group: '', builtIn: true, resources: [Thing] }));
  await server.request('POST', '/api/v1/things', { body: { metadata: { name: 'a' } } });
});
after(async () => {
  backend.closeAllConnections();
  backend.close();
  await server.close();
});

interface Received {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

test('a request is forwarded without the identity headers of the client', async () => {
  const { status, object, headers } = await server.request<Received>(
    'POST',
    '/api/v1/things/a/proxy/b%2Fc/d?e=f&g',
    {
      body: 'what is sent',
      contentType: 'text/plain',
      headers: {
        authorization: 'Bearer secret',
        'x-remote-user': 'somebody',
        'x-remote-extra-scopes': 'all',
        'impersonate-user': 'root',
        'keep-alive': '5',
        connection: 'x-mine',
        'x-mine': 'about the connection',
        'x-kept': 'yes',
        host: 'api.example',
      },
    },
  );
  assert.equal(status, 418);
  assert.equal(object.method, 'POST');
  assert.equal(object.url, '/b%2Fc/d?e=f&g');
  assert.equal(object.body, 'what is sent');
  for (const name of [
    'authorization',
    'x-remote-user',
    'x-remote-extra-scopes',
    'impersonate-user',
    'keep-alive',
    'x-mine',
  ]) {
    assert.equal(object.headers[name], undefined, name);
  }
  assert.equal(object.headers['x-kept'], 'yes');
  assert.equal(object.headers.host, 'api.example');
  assert.equal(object.headers['x-forwarded-host'], 'api.example');
  assert.equal(object.headers['x-forwarded-proto'], 'https');
  assert.equal(object.headers['x-forwarded-uri'], '/api/v1/things/a/proxy/b%2Fc/d');
  assert.equal(headers.get('x-own'), 'kept');
  assert.equal(headers.get('access-control-allow-origin'), null);
  assert.equal(headers.get('x-private'), null);
});

test('the Location of a redirect stays below the proxy', async () => {
  const { status, headers } = await server.request('GET', '/api/v1/things/a/proxy/moved', {
    headers: { host: 'api.example' },
  });
  assert.equal(status, 302);
  assert.equal(headers.get('location'), 'https://api.example/api/v1/things/a/proxy/elsewhere');
});

test('a path that ends at the proxy is redirected to one with a slash', async () => {
  const { status, headers } = await server.request('GET', '/api/v1/things/a:1/proxy?b=c');
  assert.equal(status, 301);
  assert.equal(headers.get('location'), '/api/v1/things/a:1/proxy/?b=c');
});

test('a closed port is 503 with the reason', async () => {
  const listener = createSocketServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  const path = `/api/v1/things/a:${port}/proxy/`;
  const { status, object } = await server.request<{ message: string }>('GET', path);
  assert.equal(status, 503);
  const why = `dial tcp 127.0.0.1:${port}: connect: connection refused`;
  assert.equal(object.message, `error trying to reach service: ${why}`);
});

test('a request without an upgrade to a streaming endpoint is 400', async () => {
  const { status, object } = await server.request<{ message: string }>(
    'GET',
    '/api/v1/things/a/stream',
  );
  assert.equal(status, 400);
  assert.equal(object.message, 'Upgrade request required');
});

const upgrades = [
  { name: 'the proxy', path: '/api/v1/things/a/proxy/echo' },
  { name: 'a stream', path: '/api/v1/things/a/stream' },
];
for (const { name, path } of upgrades) {
  test(`an upgraded connection through ${name} is forwarded in both directions`, async () => {
    await using port = await server.listen();
    const socket = connect({ host: '127.0.0.1', port: port.port, ca: port.ca });
    await once(socket, 'secureConnect');
    const lines = [
      `GET ${path} HTTP/1.1`,
      'host: localhost',
      `authorization: Bearer ${port.token}`,
      'connection: Upgrade',
      'upgrade: echo',
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    let text = '';
    socket.on('data', (chunk) => {
      text += String(chunk);
      if (text.endsWith('\r\n\r\n')) socket.write('there and back');
    });
    while (!text.endsWith('there and back')) await once(socket, 'data');
    assert.match(text, /^HTTP\/1\.1 101 Switching Protocols\r\n/);
    socket.destroy();
  });
}

test('the error response to an upgrade is forwarded', async () => {
  const { status, text } = await server.request('GET', '/api/v1/things/a/stream', {
    headers: { connection: 'Upgrade', upgrade: 'refused' },
  });
  assert.equal(status, 403);
  assert.equal(text, 'no');
});
