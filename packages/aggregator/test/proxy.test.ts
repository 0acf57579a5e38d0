/** Requests that are passed on, through a real server in front and over real connections. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request as httpsRequestOf } from 'node:https';
import { test } from 'node:test';
import { type Status, serviceUnavailable } from '@tributary/apimachinery';
import { BackendFailure, type BackendServer, type FailureHop } from '@tributary/proxy';
import {
  admin,
  asked,
  flunders,
  PROTOCOLS,
  registration,
  startProxy,
  valuesOf,
} from './proxy-fixture.ts';

for (const { http, behind } of PROTOCOLS) {
  test(`from HTTP/${http} to HTTP/${behind}, a request goes on as it came, with who sent it`, async () => {
    await using fixture = await startProxy({ behind });
    const target = `${flunders}/a%2Fb?z=1&a=%20&watch=0;x&z=2`;
    const response = await fixture.request(target, {
      http,
      method: 'PUT',
      body: '{"a":1}',
      headers: { 'x-remote-user': 'root', 'X-REMOTE-GROUP': 'system:masters', 'audit-id': 'abc' },
    });
    const received = asked(response);
    assert.deepEqual([received.method, received.url, received.body], ['PUT', target, '{"a":1}']);
    assert.deepEqual(valuesOf(received, 'x-remote-user'), ['admin']);
    assert.deepEqual(valuesOf(received, 'x-remote-group'), admin.groups);
    assert.deepEqual(valuesOf(received, 'x-forwarded-for'), ['127.0.0.1']);
    assert.deepEqual(valuesOf(received, 'x-forwarded-uri'), [`${flunders}/a%2Fb`]);
    assert.deepEqual(valuesOf(received, 'x-forwarded-proto'), ['https']);
    const host = valuesOf(received, behind === '2' ? ':authority' : 'host');
    assert.deepEqual(valuesOf(received, 'x-forwarded-host'), host);
    assert.deepEqual(valuesOf(received, 'audit-id'), ['abc']);
    assert.equal(response.headers['audit-id'], 'abc');
    assert.equal(response.rawHeaders.filter(([name]) => /^content-length$/i.test(name)).length, 1);
    assert.deepEqual(fixture.bugs, []);
  });
}

test('what belongs to nobody else is served here', async () => {
  const local = registration({ group: 'local.example.com', remote: undefined });
  await using fixture = await startProxy({ registrations: [registration(), local] });
  assert.equal((await fixture.request('/version')).status, 200);
  for (const path of ['/apis/wardle.example.com', '/apis/local.example.com/v1alpha1/x', '/api']) {
    assert.equal((await fixture.request(path)).status, 404, path);
  }
});

const ambiguous = [
  '/apis/wardle.example.com/v1alpha1/../../other.example.com/v1/secrets',
  '/apis/wardle.example.com/v1alpha1/%2e%2E/x',
  '/apis/wardle.example.com/v1alpha1/x%2f..%2f..%2f',
  '/apis/wardle.example.com/v1alpha1/./x',
  '/apis/wardle.example.com/v1alpha1/%zz',
];
for (const path of ambiguous) {
  test(`a path that could mean something else there is refused: ${path}`, async () => {
    await using fixture = await startProxy();
    // As it is: URL would resolve it.
    const { port } = new URL(fixture.url);
    const outgoing = httpsRequestOf({ port, path, ca: fixture.pki.ca.cert, agent: false });
    const [incoming] = await once(outgoing.end(), 'response');
    assert.equal(incoming.statusCode, 400);
    incoming.resume();
  });
}

test('nothing is sent to a server that is known to be unavailable', async () => {
  let requests = 0;
  await using fixture = await startProxy({
    behaviour: () => {
      requests += 1;
    },
    refusal: {
      status: 'False',
      reason: 'FailedDiscoveryCheck',
      message: 'connection refused',
      sinceMs: 0,
      lastSuccessMs: undefined,
    },
  });
  const response = await fixture.request(flunders);
  assert.equal(response.status, 503);
  assert.equal(response.headers['retry-after'], undefined); // clients would ask ten times
  const status = response.json() as Status;
  assert.equal(status.reason, 'ServiceUnavailable');
  assert.equal(
    status.message,
    'wardle.example.com/v1alpha1 is unavailable: FailedDiscoveryCheck: connection refused',
  );
  assert.equal(requests, 0);
  const { body } = await fixture.request('/metrics');
  assert.match(
    body,
    /apiserver_request_terminations_total\{code="503",component="aggregator",group="wardle.example.com",resource="flunders",scope="cluster",subresource="",verb="LIST",version="v1alpha1"\} 1/,
  );
});

test('how long a server took is counted by its name', async () => {
  await using fixture = await startProxy();
  await fixture.request(flunders);
  const { body } = await fixture.request('/metrics');
  assert.match(
    body,
    /tributary_proxy_duration_seconds_count\{apiservice="v1alpha1.wardle.example.com"\} 1/,
  );
});

test('a gate has the last word', async () => {
  const gate = () => serviceUnavailable('the namespace has debts', 3);
  await using fixture = await startProxy({ proxy: { gate } });
  const response = await fixture.request(flunders);
  assert.equal(response.status, 503);
  assert.equal(response.headers['retry-after'], '3');
});

test('a request of nobody is an error of ours', async () => {
  await using fixture = await startProxy({ user: { ...admin, name: '' } });
  const response = await fixture.request(flunders);
  assert.deepEqual([response.status, (response.json() as Status).message], [500, 'missing user']);
});

const failures: readonly { hop: FailureHop; code: number; message: string; retry?: string }[] = [
  { hop: 'connect', code: 503, message: 'error trying to reach service: it is gone' },
  { hop: 'tls-name', code: 503, message: 'error trying to reach service: it is gone' },
  { hop: 'reset', code: 503, message: 'error trying to reach service: it is gone' },
  { hop: 'busy', code: 429, message: 'it is gone', retry: '7' },
  {
    hop: 'target',
    code: 503,
    message: 'wardle.example.com/v1alpha1 is unavailable: it is gone',
  },
];
for (const { hop, code, message, retry } of failures) {
  test(`a failure (${hop}) is a Status in words`, async () => {
    const fail = () =>
      Promise.reject(
        new BackendFailure('it is gone', { hop, maybeProcessed: false, retryAfterSeconds: 7 }),
      );
    const of = (server: BackendServer) =>
      ({ server, send: fail, upgrade: fail, dropIdle() {} }) as never;
    await using fixture = await startProxy({ backends: { of } });
    // Its body is still on the way, which must not cost the client its answer.
    const response = await fixture.request(flunders, {
      method: 'POST',
      body: Buffer.alloc(1024 * 1024),
    });
    assert.deepEqual([response.status, (response.json() as Status).message], [code, message]);
    assert.equal(response.headers['retry-after'], retry);
    assert.deepEqual(fixture.bugs, []);
  });
}

for (const { http, behind } of PROTOCOLS) {
  test(`from HTTP/${http} to HTTP/${behind}, a client hears why, when the connection breaks while its body is sent`, async () => {
    await using fixture = await startProxy({
      behind,
      behaviour: (request) =>
        request.once('data', () => request.socket.destroy(new Error('broken'))),
    });
    const response = await fixture.request(flunders, {
      http,
      method: 'POST',
      body: Buffer.alloc(2 * 1024 * 1024),
    });
    assert.equal(response.status, 503);
    assert.match(response.body, /error trying to reach service/);
    assert.deepEqual(fixture.bugs, []);
  });
}

test('a server that answers before it has read everything does not spoil the connection', async () => {
  await using fixture = await startProxy({
    behaviour: (_, response) => void response.writeHead(413, { 'content-length': 0 }).end(),
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: fixture.pki.ca.cert });
  const ports = new Set<unknown>();
  for (let count = 0; count < 3; count += 1) {
    const outgoing = httpsRequestOf(fixture.url + flunders, { method: 'POST', agent });
    outgoing.end(Buffer.alloc(5 * 1024 * 1024));
    const [incoming] = await once(outgoing, 'response');
    assert.equal(incoming.statusCode, 413);
    ports.add(incoming.socket.localPort);
    incoming.resume();
    await once(incoming, 'close');
  }
  assert.equal(ports.size, 1);
  agent.destroy();
});

test('identities of any shape reach the server as the bytes that they are', async () => {
  const groups = [
    'a,b',
    'café',
    ...Array.from({ length: 1500 }, (_, at) => `${at}-${'g'.repeat(200)}`),
  ];
  const extra = { 'example.com/schlüssel': ['wert ☂', 'zwei'], plain: ['x'] };
  await using fixture = await startProxy({ user: { name: 'jürgen', uid: 'u 1', groups, extra } });
  const received = asked(await fixture.request(flunders));
  // Node reads one character for each byte.
  const text = (value: string) => Buffer.from(value, 'latin1').toString('utf8');
  assert.deepEqual(valuesOf(received, 'x-remote-user').map(text), ['jürgen']);
  assert.deepEqual(valuesOf(received, 'x-remote-uid'), ['u 1']);
  assert.deepEqual(valuesOf(received, 'x-remote-group').map(text), groups);
  assert.deepEqual(valuesOf(received, 'x-remote-extra-example.com%2fschl%c3%bcssel').map(text), [
    'wert ☂',
    'zwei',
  ]);
  assert.deepEqual(valuesOf(received, 'x-remote-extra-plain'), ['x']);
});
