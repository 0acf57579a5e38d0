/** Real TLS, real files: as whom a cluster is asked. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import type { ClientConfig } from '@tributary/client';
import { BackendFailure, type BackendRequest } from '@tributary/proxy';
import { createAuthority } from '@tributary/server/pki';
import { systemClock } from '@tributary/storage';
import { defer, type TestScope, temporaryFile } from '../../../../test/harness/index.ts';
import { openCluster } from './cluster.ts';

const authority = createAuthority('cluster');
const serving = authority.issue({ commonName: 'c', names: ['127.0.0.1'], usage: 'server' });

test('a token that has run out is read again, and the request sent again', async (t) => {
  const file = await temporaryFile(t, 'token');
  await writeFile(file, 'first');
  let good = 'first';
  const { config, received } = await startCluster(t, (request) =>
    request.headers.authorization === `Bearer ${good}` ? 200 : 401,
  );
  await using cluster = openCluster(
    { ...config, identity: { authorization: { kind: 'token-file', file } } },
    { clock: systemClock },
  );
  assert.equal((await cluster.send(get('/a'))).status, 200);
  good = 'second';
  await writeFile(file, 'second');
  assert.equal((await cluster.send(get('/b'))).status, 200);
  assert.equal(await cluster.bearerToken(), 'second');
  good = 'third';
  await writeFile(file, 'third');
  // A body is read once: the client is told, and the next request has the new token.
  const post = { ...get('/c'), method: 'POST', body: Readable.from([Buffer.from('x')]) };
  assert.equal((await cluster.send(post)).status, 401);
  assert.equal((await cluster.send(get('/d'))).status, 200);
  assert.deepEqual(
    received.map(({ url, headers }) => `${url} ${headers.authorization}`),
    [
      '/a Bearer first',
      '/b Bearer first',
      '/b Bearer second',
      '/c Bearer second',
      '/d Bearer third',
    ],
  );
});

test('a client certificate is shown, and there is no token to lend', async (t) => {
  const pair = createAuthority('users').issue({ commonName: 'jane', usage: 'client' });
  const { config, certificates } = await startCluster(t, () => 200);
  const certificate = { certificate: { pem: pair.cert }, key: { pem: pair.key } };
  await using cluster = openCluster(
    { ...config, identity: { certificate } },
    { clock: systemClock },
  );
  assert.equal((await cluster.send(get('/a'))).status, 200);
  assert.deepEqual(certificates, ['jane']);
  assert.equal(await cluster.bearerToken(), undefined);
});

test('a cluster below a path is asked there, with the words of the client', async (t) => {
  const { config, received } = await startCluster(t, () => 200);
  await using cluster = openCluster(
    {
      ...config,
      server: `${config.server}/k8s/clusters/c-1/`,
      identity: { authorization: { kind: 'token', token: 'a' }, impersonate: { user: 'joe' } },
    },
    { clock: systemClock },
  );
  const response = await cluster.send({
    ...get('/api?watch=1'),
    headers: [
      ['authorization', 'Bearer of-somebody'],
      ['x-remote-user', 'root'],
      ['accept', 'x/y'],
    ],
  });
  assert.equal(await text(response.body), '/k8s/clusters/c-1/api?watch=1');
  const { authorization, accept, ...rest } = received[0]?.headers ?? {};
  assert.deepEqual({ authorization, accept }, { authorization: 'Bearer a', accept: 'x/y' });
  assert.equal(rest['impersonate-user'], 'joe');
  assert.equal(rest['x-remote-user'], undefined);
});

const failures = [
  {
    name: 'nobody listens',
    change: (config: ClientConfig) => ({ ...config, server: 'https://127.0.0.1:1' }),
    want: { hop: 'connect', words: /^127\.0\.0\.1:1: connection refused/ },
  },
  {
    name: 'somebody else answers',
    change: (config: ClientConfig) => ({ ...config, ca: { pem: createAuthority('x').cert } }),
    want: { hop: 'ca', words: /certificate/ },
  },
  {
    name: 'under another name',
    change: (config: ClientConfig) => ({ ...config, tlsServerName: 'kubernetes' }),
    want: { hop: 'tls-name', words: /kubernetes/ },
  },
];
for (const { name, change, want } of failures) {
  test(`a cluster that cannot be asked is a failure in words: ${name}`, async (t) => {
    const { config } = await startCluster(t, () => 200);
    await using cluster = openCluster(change(config), { clock: systemClock });
    for (const ask of [cluster.send, cluster.upgrade]) {
      await assert.rejects(ask(get('/a')), (error) => {
        assert.ok(error instanceof BackendFailure);
        assert.equal(error.hop, want.hop);
        assert.match(error.message, want.words);
        return true;
      });
    }
  });
}

function get(path: string): BackendRequest {
  const { signal } = new AbortController();
  return { method: 'GET', path, headers: [], body: undefined, signal, use: 'request' };
}

async function startCluster(t: TestScope, statusFor: (request: IncomingMessage) => number) {
  const received: IncomingMessage[] = [];
  const certificates: string[] = [];
  const server = createServer({ ...serving, requestCert: true, rejectUnauthorized: false });
  server.on('request', (request, response) => {
    received.push(request);
    const { subject } = (request.socket as TLSSocket).getPeerCertificate();
    if (subject !== undefined) certificates.push(String(subject.CN));
    response.writeHead(statusFor(request)).end(request.url);
    request.resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  defer(t, () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const config: ClientConfig = {
    server: `https://127.0.0.1:${port}`,
    ca: { pem: authority.cert },
    identity: {},
    namespace: 'default',
  };
  return { config, received, certificates };
}
