/** Operations over real connections: authentication, logs, metrics, limits, shutdown, reloading. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { Agent, request as startRequest } from 'node:https';
import { totalmem } from 'node:os';
import { after, before, describe, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { manualClock, openMemoryStorage } from '@tributary/storage';
import {
  createPki,
  eventually,
  type HttpVersion,
  httpsRequest,
  httpsStream,
  type Pki,
  type RequestOptions,
  take,
  turns,
} from '../../../test/harness/index.ts';
import { parseTokenFile } from '../src/auth/token-file.ts';
import {
  type ApiRequest,
  createServer,
  type RunningServer,
  type ServerConfig,
} from '../src/index.ts';
import { parseAuditPolicy } from '../src/operations/audit/parse-policy.ts';
import { forecast, forecasts, weather } from './server-fixture.ts';

let pki: Pki;
before(async () => {
  pki = await createPki();
});

async function start(more: Partial<ServerConfig> = {}): Promise<RunningServer> {
  const config = { storage: openMemoryStorage(), serving: pki.server, clientCa: pki.ca.cert };
  return createServer(weather, { ...config, ...more }).listen();
}

function admin(more: RequestOptions = {}): RequestOptions {
  const { cert, key } = pki.admin;
  return { ca: pki.ca.cert, cert, key, ...more };
}

function showsCredential({ headers }: ApiRequest): boolean {
  return headers.get('authorization') !== undefined;
}

describe('who is asked', () => {
  let server: RunningServer;
  const allowed = (name: string) => name === 'alice' || name === 'dave';
  before(async () => {
    server = await start({
      tokens: parseTokenFile('good,alice,1,"dev"').tokens,
      requestHeader: {
        ca: pki.frontProxyCa.cert,
        names: { allowedNames: ['front-proxy-client'] },
      },
      authorizer: (request) => ({
        // The authorizer gets no credentials, although it gets more of the request than its type shows.
        allowed: allowed(request.user.name) && !showsCredential(request as ApiRequest),
        reason: request.user.groups.join('|'),
      }),
    });
  });
  after(() => server.close());

  const cases = [
    { name: 'a token', options: () => ({ token: 'good' }), code: 200 },
    { name: 'a wrong token', options: () => ({ token: 'bad' }), code: 401 },
    { name: 'nobody', options: () => ({}), code: 403 },
    {
      name: 'a front proxy',
      options: () => ({
        ...pki.frontProxyClient,
        headers: { 'x-remote-user': 'dave', 'x-remote-group': ['a,b', 'c'] },
      }),
      code: 200,
    },
    {
      name: 'a front proxy without a user',
      options: () => pki.frontProxyClient,
      code: 401,
    },
    {
      name: 'headers with a certificate of a client',
      options: () => ({ ...pki.admin, headers: { 'x-remote-user': 'dave' } }),
      code: 403,
    },
  ];
  for (const http of ['1.1', '2'] as const satisfies readonly HttpVersion[]) {
    for (const { name, options, code } of cases) {
      test(`${name} over HTTP/${http}: ${code}`, async () => {
        const response = await httpsRequest(server.url + forecasts, {
          ca: pki.ca.cert,
          http,
          ...options(),
        });
        assert.equal(response.status, code, response.body);
      });
    }
  }
});

test('who is not known gets one request on a connection of HTTP/2, and others many', async () => {
  await using server = await start();
  for (const { credentials, requests } of [
    { credentials: {}, requests: 1 },
    { credentials: pki.admin, requests: 2 },
  ]) {
    const session = connect(server.url, { ca: pki.ca.cert, ...credentials });
    const goaway = once(session, 'goaway');
    const ask = async () => {
      const stream = session.request({ ':path': '/version' });
      const [head] = await once(stream, 'response');
      stream.resume();
      await once(stream, 'close');
      return head[':status'];
    };
    assert.equal(await ask(), 200);
    if (requests === 1) await goaway;
    else assert.equal(await ask(), 200);
    session.close();
  }
});

test('audit and figures tell what happened', async () => {
  const lines: string[] = [];
  const document = {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived'],
    rules: [{ level: 'None', nonResourceURLs: ['/metrics'] }, { level: 'Metadata' }],
  };
  const server = await start({
    audit: {
      policy: parseAuditPolicy(document).policy,
      destination: {
        write: async (text) => {
          lines.push(...text.trimEnd().split('\n'));
        },
        close: async () => {},
      },
    },
  });
  const http = '2';
  const created = await httpsRequest(server.url + forecasts, {
    ...admin({ http, method: 'POST', body: forecast('a'), headers: { 'audit-id': 'mine' } }),
  });
  assert.equal(created.status, 201);
  assert.equal(created.headers['audit-id'], 'mine');
  await httpsRequest(`${server.url}${forecasts}/a`, admin());
  const stream = await httpsStream(`${server.url}${forecasts}?watch=1`, admin({ http }));
  await take(stream.lines[Symbol.asyncIterator](), 1);
  await httpsRequest(`${server.url}${forecasts}/missing`, admin());
  const { body } = await httpsRequest(`${server.url}/metrics`, admin());
  await stream.close();
  await server.close();

  const group = 'component="apiserver",dry_run="",group="weather.example.com",resource="forecasts"';
  const wanted = [
    `apiserver_request_total{code="201",${group},scope="resource",subresource="",verb="POST",version="v1"} 1`,
    `apiserver_request_total{code="200",${group},scope="resource",subresource="",verb="GET",version="v1"} 1`,
    `apiserver_request_total{code="404",${group},scope="resource",subresource="",verb="GET",version="v1"} 1`,
    'apiserver_audit_event_total ',
    'apiserver_audit_level_total{level="Metadata"}',
    'apiserver_watch_events_total{group="weather.example.com",resource="forecasts",version="v1"} 1',
    'apiserver_resource_objects{group="weather.example.com",resource="forecasts"} 1',
    'etcd_request_duration_seconds_count{group="weather.example.com",operation="create",resource="forecasts"} 1',
    'authenticated_user_requests{username="admin"}',
    'process_cpu_seconds_total',
    'tributary_event_loop_delay_seconds{quantile="0.99"}',
  ];
  for (const line of wanted) assert.ok(body.includes(`\n${line}`), `${line}\n${body}`);
  // Where a container has no limit, Node tells one of 2^64.
  const bytesMax = Number(/^tributary_watch_cache_bytes_max (\d+)$/m.exec(body)?.[1]);
  assert.ok(bytesMax > 0 && bytesMax <= totalmem() / 2, String(bytesMax));

  const events = lines.map((line) => JSON.parse(line));
  assert.deepEqual(
    events.map(({ verb, stage, responseStatus }) => [verb, stage, responseStatus.code]),
    [
      ['create', 'ResponseComplete', 201],
      ['get', 'ResponseComplete', 200],
      ['watch', 'ResponseStarted', 200],
      ['get', 'ResponseComplete', 404],
      ['watch', 'ResponseComplete', 200],
    ],
  );
  assert.equal(events[0].auditID, 'mine');
  assert.equal(events[0].objectRef.name, 'a');
  assert.deepEqual(events[0].sourceIPs, ['127.0.0.1']);
});

test('a server that is told to stop is not ready, then refuses, and finishes what it has', async () => {
  const entered = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const clock = manualClock();
  const server = await start({
    clock,
    // A shutdown that waited for idle connections would take an hour.
    shutdown: { delayMs: 300, drainMs: 3_600_000 },
    authorizer: async ({ info }) => {
      if (info.name === 'slow') {
        entered.resolve();
        await go.promise;
      }
      return { allowed: true };
    },
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: pki.ca.cert });
  const slow = replyOf(`${server.url}${forecasts}/slow`, agent);
  await entered.promise;
  const watch = await httpsStream(`${server.url}${forecasts}?watch=1`, admin({ http: '2' }));
  const watched = take(watch.lines[Symbol.asyncIterator](), 1).catch((error) => String(error));
  const { port } = new URL(server.url);
  const silent = connectTls({ port: Number(port), host: '127.0.0.1', ca: pki.ca.cert });
  await once(silent, 'secureConnect');

  const closing = server.close();
  assert.equal(server.close(), closing);
  const ready = await httpsRequest(`${server.url}/readyz`, admin());
  assert.equal(ready.status, 500);
  assert.match(ready.body, /\[-\]shutdown failed: reason withheld/);
  clock.advance(299);
  assert.equal((await httpsRequest(`${server.url}/livez`, admin())).status, 200);

  let isWatching = true;
  void watched.then(() => {
    isWatching = false;
  });
  await eventually('the watch ends', () => {
    clock.advance(1);
    return !isWatching;
  });
  assert.match(String(await watched), /ended after 0/);
  await assert.rejects(httpsRequest(`${server.url}/livez`, admin()));
  go.resolve();
  assert.equal(await slow, 404);
  await closing;
  agent.destroy();
  silent.destroy();
});

test('a request that does not end is cut', async () => {
  const entered = Promise.withResolvers<void>();
  const server = await start({
    shutdown: { drainMs: 1 },
    authorizer: () => {
      entered.resolve();
      return new Promise(() => {});
    },
  });
  const pending = assert.rejects(httpsRequest(server.url + forecasts, admin()));
  await entered.promise;
  await server.close();
  await pending;
});

test('certificates, authorities and tokens change while the server runs', async () => {
  await using server = await start({ authorizer: () => ({ allowed: true }) });
  const other = await createPki();
  const ask = (options: RequestOptions) => httpsRequest(`${server.url}/version`, options);
  assert.equal((await ask({ ca: pki.ca.cert, token: 'new' })).status, 401);
  assert.equal((await ask({ ca: pki.ca.cert, ...other.admin })).status, 401);

  server.reload({ tokens: parseTokenFile('new,bob,1').tokens });
  assert.equal((await ask({ ca: pki.ca.cert, token: 'new' })).status, 200);

  server.reload({ clientCa: other.ca.cert });
  assert.equal((await ask({ ca: pki.ca.cert, ...other.admin })).status, 200);
  assert.equal((await ask({ ca: pki.ca.cert, ...pki.admin })).status, 401);

  server.reload({ serving: other.server });
  await assert.rejects(ask({ ca: pki.ca.cert }));
  assert.equal((await ask({ ca: other.ca.cert })).status, 200);

  const bad = [
    { serving: { cert: other.server.cert, key: pki.server.key } },
    { serving: { cert: 'nonsense', key: 'nonsense' } },
    { clientCa: 'nonsense' },
    { requestHeaderCa: '' },
  ];
  for (const reload of bad) assert.throws(() => server.reload(reload));
  assert.equal((await ask({ ca: other.ca.cert, ...other.admin })).status, 200);
});

test('more requests than are served at once wait for their turn', async () => {
  let atOnce = 0;
  let most = 0;
  const go = Promise.withResolvers<void>();
  await using server = await start({
    tokens: parseTokenFile('a,alice,1\nb,bob,2').tokens,
    maxRequestsInFlight: 2,
    authorizer: async () => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await go.promise;
      await turns(1);
      atOnce -= 1;
      return { allowed: true };
    },
  });
  const session = connect(server.url, { ca: pki.ca.cert });
  const replies = Array.from({ length: 8 }, async (_, index) => {
    const authorization = `Bearer ${index % 2 ? 'a' : 'b'}`;
    const stream = session.request({ ':path': '/version', authorization });
    const [head] = await once(stream, 'response');
    stream.resume();
    await once(stream, 'close');
    return head[':status'];
  });
  await eventually('two are served', () => atOnce >= 2);
  // The response to a ping follows everything that was sent before.
  await promisify((done: (error: Error | null) => void) => session.ping(done))();
  await turns();
  assert.equal(most, 2);
  go.resolve();
  assert.deepEqual(await Promise.all(replies), Array(8).fill(200));
  assert.equal(most, 2);
  session.close();
});

function replyOf(url: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const { cert, key } = pki.admin;
    startRequest(url, { agent, cert, key }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', reject)
      .end();
  });
}
