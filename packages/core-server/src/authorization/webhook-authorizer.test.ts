/** Against a real server with TLS and client certificates, through a real kubeconfig. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '@tributary/client';
import type { ReviewCall } from '@tributary/server/delegation';
import { type ManualClock, manualClock } from '@tributary/storage';
import {
  defer,
  eventually,
  type TestScope,
  writeKubeconfig,
} from '../../../../test/harness/index.ts';
import {
  startTestServer,
  type TestHandler,
  type TestServer,
} from '../../../client/test/test-server.ts';
import { accessOf } from '../../test/permission-rows.ts';
import { person } from '../../test/policy-fixture.ts';
import { unionAuthorizer } from './union.ts';
import { type WebhookAuthorizer, webhookAuthorizer } from './webhook-authorizer.ts';

const review = (status: object): object => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SubjectAccessReview',
  status,
});
const podAccess = (name = 'a', target = 'pods') => ({
  user: person('alice', ['dev']),
  info: accessOf({ user: 'nobody', verb: 'get', target, namespace: 'eu', name, want: '' }),
});

interface Webhook extends WebhookAuthorizer {
  readonly server: TestServer;
  readonly clock: ManualClock;
  readonly calls: ReviewCall[];
}

async function startWebhook(
  t: TestScope,
  handler: TestHandler,
  path = '/authorize',
): Promise<Webhook> {
  const server = await startTestServer(t, handler);
  const { ca, admin } = server.pki;
  const kubeconfig = await writeKubeconfig(t, {
    server: server.url + path,
    ca: ca.cert,
    user: admin,
  });
  const clock = manualClock();
  const calls: ReviewCall[] = [];
  const authorizer = webhookAuthorizer({
    config: await loadConfig({ kubeconfig }),
    clock,
    random: () => 0,
    observe: (call) => calls.push(call),
  });
  defer(t, () => authorizer.close());
  return { ...authorizer, server, clock, calls };
}

const statuses = [
  {
    name: 'allowed',
    status: { allowed: true, reason: 'yes' },
    want: { allowed: true, reason: 'yes' },
  },
  { name: 'allowed without a reason', status: { allowed: true }, want: { allowed: true } },
  {
    name: 'no opinion',
    status: { allowed: false, reason: 'hm' },
    want: { allowed: false, reason: 'hm' },
  },
  {
    name: 'denied',
    status: { allowed: false, denied: true },
    want: { allowed: false, denied: true },
  },
  { name: 'an empty status', status: {}, want: { allowed: false } },
];
for (const { name, status, want } of statuses) {
  test(`the webhook responds: ${name}`, async (t) => {
    const { authorize } = await startWebhook(t, (_request, response) =>
      response.send(200, review(status)),
    );
    assert.deepEqual(await authorize(podAccess()), want);
  });
}

test('the review goes to exactly the URL of the kubeconfig', async (t) => {
  const bodies: unknown[] = [];
  const handler: TestHandler = async (request, response) => {
    bodies.push(JSON.parse(await request.body()));
    response.send(201, review({ allowed: true }));
  };
  for (const [configured, requested] of [
    ['/a/b', '/a/b'],
    ['', '/'],
    ['/a/', '/a'],
  ] as const) {
    const { authorize, server } = await startWebhook(t, handler, configured);
    await authorize(podAccess());
    const [request] = server.requests;
    assert.deepEqual([request?.method, request?.path], ['POST', requested]);
    assert.equal(request?.query.get('timeout'), '30s');
    assert.equal(request?.headers['content-type'], 'application/json');
  }
  assert.deepEqual(bodies[0], {
    kind: 'SubjectAccessReview',
    apiVersion: 'authorization.k8s.io/v1',
    metadata: {},
    spec: {
      resourceAttributes: {
        namespace: 'eu',
        verb: 'get',
        version: 'v1',
        resource: 'pods',
        name: 'a',
      },
      user: 'alice',
      groups: ['dev'],
    },
    status: { allowed: false },
  });
});

test('an allowed decision is cached for 5 minutes, others for 30 seconds', async (t) => {
  const { authorize, server, clock } = await startWebhook(t, async (request, response) => {
    const { spec } = JSON.parse(await request.body());
    response.send(200, review({ allowed: spec.resourceAttributes.name === 'good' }));
  });
  const count = async (name: string): Promise<number> => {
    await authorize(podAccess(name));
    return server.requests.length;
  };
  assert.deepEqual([await count('good'), await count('bad')], [1, 2]);
  // A cached decision is not a promise.
  assert.deepEqual(authorize(podAccess('good')), { allowed: true });
  clock.advance(29_999);
  assert.deepEqual([await count('good'), await count('bad')], [2, 2]);
  clock.advance(1);
  assert.deepEqual([await count('good'), await count('bad')], [2, 3]);
  clock.advance(5 * 60_000 - 30_001);
  assert.equal(await count('good'), 3);
  clock.advance(1);
  assert.equal(await count('good'), 4);
});

test('a decision for very long attributes is not cached', async (t) => {
  const { authorize, server } = await startWebhook(t, (_request, response) =>
    response.send(200, review({ allowed: true })),
  );
  const long = 'x'.repeat(10_000);
  await authorize(podAccess(long));
  await authorize(podAccess(long));
  assert.equal(server.requests.length, 2);
});

/** Advances the clock past the pauses between retries until the response arrives. */
async function passRetryPauses<Value>(
  clock: ManualClock,
  response: Promise<Value>,
): Promise<Value> {
  let isDone = false;
  const watched = response.finally(() => {
    isDone = true;
  });
  watched.catch(() => {}); // The caller gets the error.
  const passPause = (): boolean => {
    clock.advance(10_000);
    return isDone;
  };
  await eventually('the webhook decides', passPause, { everyMs: 0 });
  return response;
}

const failing = [
  { name: '500', status: 500, tries: 5 },
  { name: '504', status: 504, tries: 5 },
  { name: '429', status: 429, tries: 5 },
  { name: '503 without Retry-After', status: 503, tries: 1 },
  { name: '503 with Retry-After', status: 503, headers: { 'retry-after': '1' }, tries: 5 },
  { name: '403', status: 403, tries: 1 },
  { name: '404', status: 404, tries: 1 },
];
for (const { name, status, headers, tries } of failing) {
  test(`a webhook that responds with ${name} gets ${tries} requests, then authorization fails`, async (t) => {
    const { authorize, server, clock, calls } = await startWebhook(t, (_request, response) =>
      response.send(status, 'no', headers ?? {}),
    );
    await assert.rejects(passRetryPauses(clock, Promise.resolve(authorize(podAccess()))), {
      code: status,
    });
    assert.equal(server.requests.length, tries);
    assert.deepEqual(
      calls.map((call) => [call.result, call.status]),
      Array.from({ length: tries }, () => [status === 504 ? 'timeout' : 'error', status]),
    );
  });
}

test('a webhook that recovers decides, also after a lost connection', async (t) => {
  let count = 0;
  const { authorize, clock } = await startWebhook(t, (_request, response) => {
    count += 1;
    if (count === 1) response.cutConnection();
    else if (count === 2) response.send(500, 'no');
    else response.send(200, review({ allowed: true }));
  });
  assert.deepEqual(await passRetryPauses(clock, Promise.resolve(authorize(podAccess()))), {
    allowed: true,
  });
  assert.equal(count, 3);
});

test('an unreachable webhook fails at once, unless another authorizer allows', async (t) => {
  const { authorize, server } = await startWebhook(t, () => assert.fail('stopped'));
  await server.stop();
  await assert.rejects(Promise.resolve(authorize(podAccess())), { code: 'ECONNREFUSED' });
  const decision = await unionAuthorizer([
    { name: 'webhook', authorize },
    { name: 'all', authorize: () => ({ allowed: true }) },
  ])(podAccess());
  assert.deepEqual(decision, { allowed: true });
});

const nonsense = [
  { name: 'not JSON', body: 'yes', want: /./ },
  {
    name: 'another kind',
    body: { kind: 'Status', apiVersion: 'v1' },
    want: /is not a SubjectAccessReview/,
  },
  {
    name: 'another version',
    body: { ...review({ allowed: true }), apiVersion: 'authorization.k8s.io/v2' },
    want: /is not of authorization/,
  },
  {
    name: 'a string instead of a boolean',
    body: review({ allowed: 'true' }),
    want: /has an invalid status/,
  },
  {
    name: 'allowed and denied',
    body: review({ allowed: true, denied: true }),
    want: /both allow and deny/,
  },
  { name: 'more than a megabyte', body: 'x'.repeat(1024 * 1024 + 1), want: /./ },
];
for (const { name, body, want } of nonsense) {
  test(`an invalid response allows nothing: ${name}`, async (t) => {
    const { authorize } = await startWebhook(t, (_request, response) => response.send(200, body));
    await assert.rejects(Promise.resolve(authorize(podAccess())), want);
  });
}

test('a canceled request does not wait for the webhook', async (t) => {
  const received = Promise.withResolvers<void>();
  const { authorize, calls } = await startWebhook(t, () => received.resolve());
  const controller = new AbortController();
  const decision = authorize({ ...podAccess(), cancellation: controller });
  void received.promise.then(() => controller.abort(new Error('gone')));
  await assert.rejects(Promise.resolve(decision), { message: 'gone' });
  assert.deepEqual(
    calls.map(({ result }) => result),
    ['canceled'],
  );
});
