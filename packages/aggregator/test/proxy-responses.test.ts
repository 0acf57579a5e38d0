/** Answers of other servers, as clients get them. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { request as httpsRequestOf } from 'node:https';
import { test } from 'node:test';
import type { Status } from '@tributary/apimachinery';
import { eventually } from '../../../test/harness/index.ts';
import { type Behaviour, flunders, PROTOCOLS, startProxy } from './proxy-fixture.ts';

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

/** HTTP/2 has no such lines, and Node's server takes care that others are not repeated. */
const ofTheConnection = [
  ...['Connection', 'X-Private', 'X-Private', 'secret', 'Keep-Alive', 'timeout=1'],
  ...['ETag', '"1"', 'ETag', '"2"'],
];

for (const { http, behind } of PROTOCOLS) {
  test(`from HTTP/${http} to HTTP/${behind}, what the server says of its answer goes on, and is said once`, async () => {
    await using fixture = await startProxy({
      behind,
      behaviour: (_, response) => {
        response.writeHead(200, [
          ...['Content-Type', 'text/plain', 'Audit-Id', 'theirs', 'Cache-Control', 'max-age=5'],
          ...['X-Kubernetes-Pf-Flowschema-Uid', 'their-flow', 'Warning', '299 - "one"'],
          ...['Warning', '299 - "two"', 'Access-Control-Allow-Origin', '*'],
          ...(behind === '1.1' ? ofTheConnection : []),
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
    assert.deepEqual(about('etag'), behind === '1.1' ? ['etag: "1"'] : []);
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

for (const http of ['1.1', '2'] as const) {
  test(`over HTTP/${http} a code that HTTP does not know is 502`, async () => {
    await using fixture = await startProxy({
      behaviour: (_, response) => void response.writeHead(600).end(),
    });
    const response = await fixture.request(flunders, { http });
    assert.equal(response.status, 502);
    assert.match(response.body, /invalid status code 600/);
    assert.deepEqual(fixture.bugs, []);
  });

  test(`over HTTP/${http} answers before the answer say nothing about the connection`, async () => {
    await using fixture = await startProxy({
      behaviour: (request, response) => {
        request.socket.write(
          'HTTP/1.1 103 Early Hints\r\nConnection: x\r\nX: 1\r\nLink: a\r\n\r\n',
        );
        response.writeHead(200, { 'content-type': 'text/plain' }).end('body');
      },
    });
    const received = await interimAndTrailers(fixture, http);
    assert.deepEqual(received, { interim: [103], link: 'a', body: 'body', sum: undefined });
  });
}

for (const { http, behind } of PROTOCOLS) {
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
    const received = await interimAndTrailers(fixture, http);
    assert.deepEqual(received, {
      interim: [103],
      link: '</a>; rel=preload',
      body: 'body',
      sum: '42',
    });
  });
}

async function interimAndTrailers(
  { url, pki }: { url: string; pki: { ca: { cert: string } } },
  http: '1.1' | '2',
) {
  const interim: number[] = [];
  let link: unknown;
  if (http === '1.1') {
    const outgoing = httpsRequestOf(url + flunders, {
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

test('what is in an answer is not written down, its code is', async () => {
  await using fixture = await startProxy();
  await fixture.request(flunders, { method: 'POST', body: '{"secret":"s3cret"}' });
  await eventually('its code is written down', () =>
    fixture.auditLines.some((line) => line.includes('"code":200')),
  );
  await fixture.closeFront();
  for (const line of fixture.auditLines) {
    assert.ok(!line.includes('s3cret') && !line.includes('responseObject'), line);
  }
});
