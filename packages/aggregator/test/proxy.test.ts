/** Requests that are passed on, through a real server in front and over real connections. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { type ClientRequest, request as httpsRequestOf } from 'node:https';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Status, serviceUnavailable } from '@tributary/apimachinery';
import { take } from '../../../test/harness/index.ts';
import { BackendFailure, type FailureHop } from '../src/backend/backend.ts';
import {
  admin,
  asked,
  type Behaviour,
  flunders,
  registration,
  startProxy,
  valuesOf,
} from './proxy-fixture.ts';

const PROTOCOLS = [
  { http: '1.1', behind: '1.1' },
  { http: '1.1', behind: '2' },
  { http: '2', behind: '1.1' },
  { http: '2', behind: '2' },
] as const;

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
    const heard = asked(response);
    assert.deepEqual([heard.method, heard.url, heard.body], ['PUT', target, '{"a":1}']);
    assert.deepEqual(valuesOf(heard, 'x-remote-user'), ['admin']);
    assert.deepEqual(valuesOf(heard, 'x-remote-group'), admin.groups);
    assert.deepEqual(valuesOf(heard, 'x-forwarded-for'), ['127.0.0.1']);
    assert.deepEqual(valuesOf(heard, 'x-forwarded-uri'), [`${flunders}/a%2Fb`]);
    assert.deepEqual(valuesOf(heard, 'x-forwarded-proto'), ['https']);
    const host = valuesOf(heard, behind === '2' ? ':authority' : 'host');
    assert.deepEqual(valuesOf(heard, 'x-forwarded-host'), host);
    assert.deepEqual(valuesOf(heard, 'audit-id'), ['abc']);
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
  assert.equal(response.headers['retry-after'], '1');
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
    retry: '1',
  },
];
for (const { hop, code, message, retry } of failures) {
  test(`a failure (${hop}) is a Status in words`, async () => {
    const fail = () =>
      Promise.reject(
        new BackendFailure('it is gone', { hop, maybeProcessed: false, retryAfterSeconds: 7 }),
      );
    const of = (one: ReturnType<typeof registration>) =>
      ({ registration: one, send: fail, upgrade: fail, dropIdle() {} }) as never;
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
      behaviour: (request) => request.once('data', () => request.destroy()),
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

const redirects = [
  { code: 302, location: 'https://elsewhere.example.com/', want: 502 },
  { code: 304, location: 'https://elsewhere.example.com/', want: 502 },
  { code: 304, location: undefined, want: 304 },
  { code: 300, location: undefined, want: 300 },
  { code: 201, location: '/apis/x', want: 201 },
];
for (const { code, location, want } of redirects) {
  test(`${code} with ${location ?? 'no location'} becomes ${want}`, async () => {
    await using fixture = await startProxy({
      behaviour: (_, response) => {
        response.writeHead(code, location === undefined ? {} : { location }).end();
      },
    });
    const response = await fixture.request(flunders);
    assert.equal(response.status, want);
    if (want === 502) {
      const message = 'the backend attempted to redirect this request, which is not permitted';
      assert.equal((response.json() as Status).message, message);
      assert.equal(response.headers.location, undefined);
    } else {
      assert.equal(response.headers.location, location);
    }
  });
}

test('a redirect goes on where that is wanted', async () => {
  await using fixture = await startProxy({
    behaviour: (_, response) => void response.writeHead(302, { location: '/x' }).end(),
    proxy: { isRemoteRedirectRejected: false },
  });
  assert.equal((await fixture.request(flunders)).status, 302);
});

for (const { http, behind } of PROTOCOLS) {
  test(`from HTTP/${http} to HTTP/${behind}, what the server says of its answer goes on, and is said once`, async () => {
    await using fixture = await startProxy({
      behind,
      behaviour: (_, response) => {
        response.writeHead(200, [
          ...['Content-Type', 'text/plain', 'Audit-Id', 'theirs', 'Cache-Control', 'max-age=5'],
          ...['X-Kubernetes-Pf-Flowschema-Uid', 'their-flow', 'Warning', '299 - "one"'],
          ...['Warning', '299 - "two"', 'Access-Control-Allow-Origin', '*', 'X-Private', 'secret'],
          ...['Connection', 'X-Private', 'Keep-Alive', 'timeout=1', 'ETag', '"1"', 'ETag', '"2"'],
        ]);
        response.end('short');
      },
    });
    const response = await fixture.request(flunders, { http });
    const lines = response.rawHeaders.map(([name, value]) => `${name.toLowerCase()}: ${value}`);
    const about = (name: string) => lines.filter((line) => line.startsWith(`${name}: `));
    assert.equal(response.body, 'short');
    assert.deepEqual(about('audit-id'), ['audit-id: theirs']);
    assert.deepEqual(about('cache-control'), ['cache-control: max-age=5']);
    assert.deepEqual(about('warning'), ['warning: 299 - "one"', 'warning: 299 - "two"']);
    assert.deepEqual(about('etag'), ['etag: "1"']);
    assert.deepEqual(about('x-kubernetes-pf-flowschema-uid'), [
      'x-kubernetes-pf-flowschema-uid: their-flow',
    ]);
    for (const gone of ['access-control-allow-origin', 'x-private']) {
      assert.deepEqual(about(gone), []);
    }
    assert.equal(about('keep-alive').includes('keep-alive: timeout=1'), false);
  });
}

const bodiless: readonly { name: string; method: string; behaviour: Behaviour; length?: string }[] =
  [
    {
      name: 'HEAD',
      method: 'HEAD',
      behaviour: (_, response) => {
        response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 5 }).end('12345');
      },
      length: '5',
    },
    {
      name: '204',
      method: 'DELETE',
      behaviour: (_, response) => void response.writeHead(204).end(),
    },
    {
      name: '304',
      method: 'GET',
      behaviour: (_, response) => void response.writeHead(304, { etag: '"1"' }).end(),
    },
  ];
for (const { http, behind } of PROTOCOLS) {
  for (const { name, method, behaviour, length } of bodiless) {
    test(`from HTTP/${http} to HTTP/${behind}, an answer without a body (${name}) has none`, async () => {
      await using fixture = await startProxy({ behind, behaviour });
      const response = await fixture.request(flunders, { http, method });
      assert.equal(response.body, '');
      assert.equal(response.headers['content-length'], length);
      assert.deepEqual(fixture.bugs, []);
    });
  }
}

for (const { http, behind } of PROTOCOLS) {
  test(`from HTTP/${http} to HTTP/${behind}, large bodies go both ways unchanged`, async () => {
    await using fixture = await startProxy({
      behind,
      behaviour: (request, response) => {
        response.writeHead(200, { 'content-type': 'application/octet-stream' });
        request.pipe(response);
      },
    });
    const body = Buffer.alloc(5 * 1024 * 1024);
    for (let at = 0; at < body.length; at += 4) body.writeUInt32LE((at * 2654435761) >>> 0, at);
    const response = await fixture.request(flunders, { http, method: 'POST', body });
    assert.ok(response.bytes.equals(body));
  });

  test(`from HTTP/${http} to HTTP/${behind}, an answer that breaks is broken for the client, and no bug of ours`, async () => {
    await using fixture = await startProxy({
      behind,
      behaviour: (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"items":[');
        setTimeout(() => response.destroy(), 50);
      },
    });
    await assert.rejects(fixture.request(flunders, { http }));
    assert.deepEqual(fixture.bugs, []);
  });

  test(`from HTTP/${http} to HTTP/${behind}, the server hears that the client has left`, async () => {
    const left = Promise.withResolvers<void>();
    await using fixture = await startProxy({
      behind,
      behaviour: (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
        response.on('close', () => left.resolve());
      },
    });
    const stream = await fixture.stream(`${flunders}?watch=1`, { http });
    await stream.close();
    await left.promise;
    assert.deepEqual(fixture.bugs, []);
  });

  test(`from HTTP/${http} to HTTP/${behind}, events of a watch come at once, and its end is an end`, async () => {
    const events = Promise.withResolvers<(line: string | undefined) => void>();
    await using fixture = await startProxy({
      behind,
      behaviour: (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
        events.resolve((line) => {
          if (line === undefined) response.end();
          else response.write(line);
        });
      },
    });
    const stream = await fixture.stream(`${flunders}?watch=1`, { http });
    const say = await events.promise;
    const lines = stream.lines[Symbol.asyncIterator]();
    let slowestMs = 0;
    for (let count = 0; count < 20; count += 1) {
      await sleep(5);
      const startMs = performance.now();
      say(`{"count":${count}}\n`);
      assert.deepEqual(await take(lines, 1), [{ count }]);
      slowestMs = Math.max(slowestMs, performance.now() - startMs);
    }
    assert.ok(slowestMs < 50, `an event took ${slowestMs} ms`);
    say(undefined);
    assert.equal((await lines.next()).done, true);
    assert.deepEqual(fixture.bugs, []);
  });

  test(`from HTTP/${http} to HTTP/${behind}, answers before the answer and lines after it go on`, async () => {
    await using fixture = await startProxy({
      behind,
      behaviour: (_, response) => {
        response.writeEarlyHints({ link: '</a>; rel=preload' });
        response.writeHead(200, { 'content-type': 'text/plain', trailer: 'x-sum' });
        response.write('body');
        response.addTrailers({ 'x-sum': '42' });
        response.end();
      },
    });
    const heard = await interimAndTrailers(fixture, http);
    assert.deepEqual(heard, { interim: [103], link: '</a>; rel=preload', body: 'body', sum: '42' });
  });
}

async function interimAndTrailers(
  { url, pki }: { url: string; pki: { ca: { cert: string } } },
  http: '1.1' | '2',
) {
  const interim: number[] = [];
  let link: unknown;
  if (http === '1.1') {
    const outgoing: ClientRequest = httpsRequestOf(url + flunders, {
      ca: pki.ca.cert,
      agent: false,
      headers: { te: 'trailers' },
    });
    outgoing.on('information', ({ statusCode, headers }) => {
      interim.push(statusCode);
      link = headers.link;
    });
    const [incoming] = await once(outgoing.end(), 'response');
    let body = '';
    for await (const chunk of incoming) body += chunk;
    return { interim, link, body, sum: incoming.trailers['x-sum'] };
  }
  const session = connect(url, { ca: pki.ca.cert });
  try {
    const stream = session.request({ ':path': flunders, te: 'trailers' });
    let sum: unknown;
    stream.on('headers', (headers) => {
      interim.push(Number(headers[':status']));
      link = headers.link;
    });
    stream.on('trailers', (headers) => {
      sum = headers['x-sum'];
    });
    let body = '';
    for await (const chunk of stream) body += chunk;
    return { interim, link, body, sum };
  } finally {
    session.destroy();
  }
}

test('a server that is silent costs a request its time, and no more', async () => {
  await using fixture = await startProxy({
    behaviour: () => {},
    config: { requestTimeoutMs: 100 },
  });
  const response = await fixture.request(flunders);
  assert.equal(response.status, 504);
  assert.match(response.body, /request did not complete within the allotted timeout/);
});

test('the time of a request counts until its answer is complete', async () => {
  await using fixture = await startProxy({
    behaviour: (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"items":[');
    },
    config: { requestTimeoutMs: 200 },
  });
  const startMs = performance.now();
  await assert.rejects(fixture.request(flunders));
  assert.ok(performance.now() - startMs < 3000);
  assert.deepEqual(fixture.bugs, []);
});

test('a watch lives longer than requests do, and ends cleanly when the server stops', async () => {
  await using fixture = await startProxy({
    behaviour: (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
      setTimeout(() => response.write('{"late":true}\n'), 300);
    },
    config: { requestTimeoutMs: 100, shutdown: { watchGraceMs: 100, drainMs: 2000 } },
  });
  const stream = await fixture.stream(`${flunders}?watch=1`);
  const lines = stream.lines[Symbol.asyncIterator]();
  assert.deepEqual(await take(lines, 1), [{ late: true }]);
  const closing = fixture.closeFront();
  assert.equal((await lines.next()).done, true);
  await closing;
});

test('a request for one group version has five seconds', async () => {
  await using fixture = await startProxy({ behaviour: () => {} });
  const startMs = performance.now();
  const response = await fixture.request('/apis/wardle.example.com/v1alpha1');
  const tookMs = performance.now() - startMs;
  assert.equal(response.status, 503);
  assert.match(response.body, /error trying to reach service: context deadline exceeded/);
  assert.ok(tookMs > 4900 && tookMs < 7000, `${tookMs}`);
});

test('what is in an answer is not written down, its code is', async () => {
  await using fixture = await startProxy();
  await fixture.request(flunders, { method: 'POST', body: '{"secret":"s3cret"}' });
  await sleep(50);
  await fixture.closeFront();
  assert.ok(fixture.auditLines.length > 0);
  assert.ok(fixture.auditLines.some((line) => line.includes('"code":200')));
  for (const line of fixture.auditLines) {
    assert.ok(!line.includes('s3cret') && !line.includes('responseObject'), line);
  }
});

test('identities of any shape reach the server as the bytes that they are', async () => {
  const groups = [
    'a,b',
    'café',
    ...Array.from({ length: 1500 }, (_, at) => `${at}-${'g'.repeat(200)}`),
  ];
  const extra = { 'example.com/schlüssel': ['wert ☂', 'zwei'], plain: ['x'] };
  await using fixture = await startProxy({ user: { name: 'jürgen', uid: 'u 1', groups, extra } });
  const heard = asked(await fixture.request(flunders));
  // Node reads one character for each byte.
  const text = (value: string) => Buffer.from(value, 'latin1').toString('utf8');
  assert.deepEqual(valuesOf(heard, 'x-remote-user').map(text), ['jürgen']);
  assert.deepEqual(valuesOf(heard, 'x-remote-uid'), ['u 1']);
  assert.deepEqual(valuesOf(heard, 'x-remote-group').map(text), groups);
  assert.deepEqual(valuesOf(heard, 'x-remote-extra-example.com%2fschl%c3%bcssel').map(text), [
    'wert ☂',
    'zwei',
  ]);
  assert.deepEqual(valuesOf(heard, 'x-remote-extra-plain'), ['x']);
});

test('a reader that is slow slows the server, and is not remembered for', async () => {
  let sent = 0;
  await using fixture = await startProxy({
    behaviour: (_, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(256 * 1024))) sent += 256;
        sent += 256;
      };
      response.on('drain', more);
      more();
    },
  });
  const outgoing = httpsRequestOf(`${fixture.url}${flunders}?watch=1`, {
    ca: fixture.pki.ca.cert,
    agent: false,
  });
  const [incoming] = await once(outgoing.end(), 'response');
  assert.equal(incoming.statusCode, 200);
  incoming.pause();
  let before = -1;
  while (before !== sent) {
    before = sent;
    await sleep(200);
  }
  // Buffers of the kernel and of four sockets, and no more.
  assert.ok(
    sent > 0 && sent < 32 * 1024,
    `${sent} KiB were taken from the server for a client that reads nothing`,
  );
  outgoing.destroy();
});
