import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { suite, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { MetricsRegistry } from '@tributary/server/operations';
import { createAuthority } from '@tributary/server/pki';
import { defer, eventually, freePort } from '../../../../test/harness/index.ts';
import {
  authority,
  connectTo,
  failureOf,
  frontProxy,
  get,
  registrationOf,
  SERVER_NAME,
  startBackend,
  startRawBackend,
  type TestBackendOptions,
  text,
} from '../../test/backend-fixture.ts';
import { sha1Certificate } from '../../test/sha1-certificate.ts';
import type { FailureHop } from './backend.ts';
import type { BackendConfig } from './backend-config.ts';

const other = createAuthority('other');
const PAST = { notBefore: new Date(Date.now() - 2e9), notAfter: new Date(Date.now() - 1e9) };
const FUTURE = { notBefore: new Date(Date.now() + 1e9), notAfter: new Date(Date.now() + 2e9) };

/** With its authority appended, as many servers send it. */
const single = leaf([SERVER_NAME], other);
const chain = { cert: `${single.cert}\n${other.cert}`, key: single.key };

function leaf(names: readonly string[], from = authority, validity = {}) {
  return from.issue({ commonName: SERVER_NAME, usage: 'server', names, ...validity });
}

const certificates: {
  name: string;
  tls: TestBackendOptions;
  remote?: Partial<BackendConfig>;
  hop?: FailureHop;
  message?: RegExp;
}[] = [
  { name: 'the name of the service', tls: leaf([SERVER_NAME]) },
  { name: 'a wildcard', tls: leaf(['*.eu.svc']) },
  {
    name: 'an old and a new authority',
    tls: leaf([SERVER_NAME]),
    remote: { caBundle: `${other.cert}\n${authority.cert}` },
  },
  {
    name: 'no verification: another name, unknown authority, expired',
    tls: leaf(['elsewhere'], other, PAST),
    remote: { caBundle: undefined, insecureSkipTlsVerify: true },
  },
  {
    name: 'another name',
    tls: leaf(['a.b.svc', '10.0.0.1']),
    hop: 'tls-name',
    message: /the certificate is for a\.b\.svc, 10\.0\.0\.1, not for wardle\.eu\.svc/,
  },
  {
    name: 'the address that was dialled, which is not the name',
    tls: leaf(['127.0.0.1']),
    hop: 'tls-name',
    message: /is for 127\.0\.0\.1, not for wardle\.eu\.svc/,
  },
  {
    name: 'a common name alone',
    tls: leaf([]),
    hop: 'tls-name',
    message: /no subject alternative names, and its common name "wardle.eu.svc" does not count/,
  },
  {
    name: 'another authority',
    tls: leaf([SERVER_NAME], other),
    hop: 'ca',
    message: /not (?:signed by|in) the caBundle/,
  },
  {
    name: 'an authority of the chain that is not in the caBundle',
    tls: chain,
    hop: 'ca',
    message: /self-signed certificate in certificate chain: not signed by the caBundle/,
  },
  { name: 'expired', tls: leaf([SERVER_NAME], authority, PAST), hop: 'ca', message: /has expired/ },
  {
    name: 'too early',
    tls: leaf([SERVER_NAME], authority, FUTURE),
    hop: 'ca',
    message: /not yet valid/,
  },
  {
    name: 'an authority unknown to the system',
    tls: leaf([SERVER_NAME]),
    remote: { caBundle: undefined },
    hop: 'ca',
  },
  {
    name: 'a caBundle that is no PEM',
    tls: leaf([SERVER_NAME]),
    remote: { caBundle: 'hello' },
    hop: 'ca',
    message: /^unable to load root certificates: unable to parse bytes as PEM block$/,
  },
  {
    name: 'an old version of TLS',
    tls: {
      ...leaf([SERVER_NAME]),
      minVersion: 'TLSv1.1',
      maxVersion: 'TLSv1.1',
      ciphers: 'ALL:@SECLEVEL=0',
    },
    hop: 'tls',
  },
  {
    name: 'signed with SHA-1',
    tls: { cert: sha1Certificate.cert, key: sha1Certificate.key },
    remote: { caBundle: sha1Certificate.ca },
    hop: 'ca',
    message: /digest algorithm too weak|md too weak/i,
  },
];

suite('the certificate of a server', () => {
  for (const { name, tls, remote = {}, hop, message = /./ } of certificates) {
    test(`a certificate is ${hop === undefined ? 'accepted' : 'rejected'}: ${name}`, async (t) => {
      const server = await startBackend(t, (_, response) => void response.end('ok'), tls);
      const { backend, evidence } = connectTo(t, [server.target], { remote });
      if (hop === undefined) {
        assert.equal(await text(await backend.send(get())), 'ok');
        return;
      }
      for (const send of [backend.send(get()), backend.upgrade(get('/', UPGRADE))]) {
        const failure = await failureOf(send);
        assert.equal(failure.hop, hop, failure.message);
        assert.match(failure.message, message);
        assert.equal(failure.maybeProcessed, false);
        assert.deepEqual(failure.target, server.target);
      }
      assert.equal(evidence.length, 2);
    });
  }

  test('rejected certificates are counted under upstream metric names', async (t) => {
    const nameless = await startBackend(t, () => {}, leaf([]));
    const weak = await startBackend(t, () => {}, sha1Certificate);
    const registry = new MetricsRegistry();
    const first = connectTo(t, [nameless.target]);
    first.metrics.register(registry);
    await failureOf(first.backend.send(get()));
    assert.match(registry.text(), /apiserver_kube_aggregator_x509_missing_san_total 1\n/);
    const { metrics, backend } = connectTo(t, [weak.target], {
      remote: { caBundle: sha1Certificate.ca },
    });
    const weakRegistry = new MetricsRegistry();
    metrics.register(weakRegistry);
    await failureOf(backend.send(get()));
    assert.match(weakRegistry.text(), /apiserver_kube_aggregator_x509_insecure_sha1_total 1\n/);
  });
});

const UPGRADE = {
  headers: [
    ['connection', 'Upgrade'],
    ['upgrade', 'x'],
  ] as const,
};

suite('where a connection fails', () => {
  test('a connection to a closed port fails with hop connect', async (t) => {
    const target = { host: '127.0.0.1', port: await freePort(), serverName: SERVER_NAME };
    const { backend } = connectTo(t, [target]);
    const failure = await failureOf(backend.send(get()));
    assert.equal(failure.hop, 'connect');
    assert.equal(
      failure.message,
      `127.0.0.1:${target.port}: connection refused: nothing listens there`,
    );
  });

  test('an unknown name fails with hop dns', async (t) => {
    const target = { host: 'no-such-host.invalid', port: 443, serverName: SERVER_NAME };
    const { backend } = connectTo(t, [target]);
    const { hop, message } = await failureOf(backend.send(get()));
    assert.equal(hop, 'dns');
    assert.match(message, /^no-such-host\.invalid:443: .*DNS/);
  });

  const silences = [
    {
      name: 'a server without a TLS handshake',
      greet: () => {},
      hop: 'tls',
      message: /TLS handshake does not end/,
    },
    {
      name: 'a server that closes at once',
      greet: (socket: { end(): void }) => socket.end(),
      hop: 'tls',
      message: /closed the connection during the TLS handshake/,
    },
    {
      name: 'a server without TLS',
      greet: (socket: { end(text: string): void }) => socket.end('HTTP/1.1 400 Bad\r\n\r\n'),
      hop: 'tls',
      message: /./,
    },
  ];
  for (const { name, greet, hop, message } of silences) {
    test(name, async (t) => {
      const server = createServer((socket) => {
        socket.on('error', () => {});
        defer(t, () => void socket.destroy());
        socket.once('data', () => greet(socket as never));
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      defer(t, () => void server.close());
      const { port } = server.address() as AddressInfo;
      const target = { host: '127.0.0.1', port, serverName: SERVER_NAME };
      const { backend } = connectTo(t, [target], { limits: { handshakeTimeoutMs: 300 } });
      const failure = await failureOf(backend.send(get()));
      assert.equal(failure.hop, hop, failure.message);
      assert.match(failure.message, message);
      assert.equal(failure.maybeProcessed, false);
    });
  }

  const garbage = [
    { name: 'HTTP/1.1', alpn: ['http/1.1'] },
    { name: 'HTTP/2', alpn: ['h2'] },
  ];
  for (const { name, alpn } of garbage) {
    test(`a response that is no ${name} fails with hop protocol`, async (t) => {
      const talk = (socket: TLSSocket): void => {
        socket.on('error', () => {});
        socket.once('data', () => socket.write('garbage '.repeat(10)));
      };
      const server = await startRawBackend(t, talk, alpn);
      const { backend } = connectTo(t, [server.target]);
      const failure = await failureOf(backend.send(get()));
      assert.equal(failure.hop, 'protocol', failure.message);
    });
  }

  test('a silent HTTP/2 server fails after the timeout', async (t) => {
    const server = await startRawBackend(t, (socket) => void socket.on('error', () => {}), ['h2']);
    const { backend } = connectTo(t, [server.target], { limits: { connectTimeoutMs: 300 } });
    const failure = await failureOf(backend.send(get()));
    assert.equal(failure.hop, 'silent', failure.message);
    assert.equal(failure.maybeProcessed, false);
  });

  for (const http of ['1.1', '2'] as const) {
    test(`a Node server that rejects the client certificate closes the connection, HTTP/${http}`, async (t) => {
      const strict = { http, ca: other.cert, rejectUnauthorized: true };
      const server = await startBackend(t, (_, response) => void response.end(), strict);
      const { backend } = connectTo(t, [server.target]);
      const failure = await failureOf(backend.send(get()));
      assert.equal(failure.hop, 'reset', failure.message);
    });
  }
});

suite('what changes', () => {
  const peerName = (request: {
    socket: unknown;
    stream?: { session: { socket: unknown } };
  }): string => {
    const socket = (request.stream?.session.socket ?? request.socket) as TLSSocket;
    return String(socket.getPeerCertificate().subject?.CN);
  };

  test('a connection has the front-proxy certificate, and a new one after identityChanged', async (t) => {
    const open = Promise.withResolvers<void>();
    const server = await startBackend(t, async (request, response) => {
      response.write(peerName(request as never));
      if (request.url === '/watch') await open.promise;
      response.end();
    });
    let identity = frontProxy.issue({ commonName: 'one', usage: 'client' });
    const { backend, backends } = connectTo(t, [server.target], {
      identity: () => identity,
    });
    const watch = await backend.send(get('/watch', { use: 'watch' }));
    assert.equal(await text(await backend.send(get())), 'one');
    identity = frontProxy.issue({ commonName: 'two', usage: 'client' });
    backends.identityChanged();
    assert.equal(await text(await backend.send(get())), 'two');
    open.resolve();
    assert.equal(await text(watch), 'one', 'what is under way goes on');
    const isClosed = () => server.openConnections() === 1;
    await eventually('its connection is closed after it', isClosed);
  });

  test('a changed caBundle is used at once', async (t) => {
    const server = await startBackend(t, (_, response) => void response.end('ok'));
    const { backend, backends } = connectTo(t, [server.target]);
    await text(await backend.send(get()));
    const wrong = backends.of(registrationOf({ caBundle: other.cert }));
    assert.equal((await failureOf(wrong.send(get()))).hop, 'ca');
    const right = backends.of(registrationOf());
    assert.equal(await text(await right.send(get())), 'ok');
  });

  test('an unchanged server keeps its backend, and a changed limit keeps its connections', async (t) => {
    const server = await startBackend(t, (_, response) => void response.end('ok'));
    const { backends } = connectTo(t, [server.target]);
    const registration = registrationOf();
    assert.equal(backends.of(registration), backends.of(registration));
    await text(await backends.of(registration).send(get()));
    await text(await backends.of(registrationOf({ limits: { watchesMax: 1 } })).send(get()));
    assert.equal(server.connections(), 1);
  });
});
