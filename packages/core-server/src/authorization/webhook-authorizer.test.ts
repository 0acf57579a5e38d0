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
const ask = (name = 'a', target = 'pods') => ({
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

const answers = [
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
for (const { name, status, want } of answers) {
  test(`an answer: ${name}`, async (t) => {
    const { authorize } = await startWebhook(t, (_request, answer) =>
      answer.send(200, review(status)),
    );
    assert.deepEqual(await authorize(ask()), want);
  });
}

test('the review goes to exactly the URL of the kubeconfig', async (t) => {
  const bodies: unknown[] = [];
  const handler: TestHandler = async (request, answer) => {
    bodies.push(JSON.parse(await request.body()));
    answer.send(201, review({ allowed: true }));
  };
  for (const [configured, requested] of [
    ['/a/b', '/a/b'],
    ['', '/'],
    ['/a/', '/a'],
  ] as const) {
    const { authorize, server } = await startWebhook(t, handler, configured);
    await authorize(ask());
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

test('an allowance holds five minutes, everything else half a minute', async (t) => {
  const { authorize, server, clock } = await startWebhook(t, async (request, answer) => {
    const { spec } = JSON.parse(await request.body());
    answer.send(200, review({ allowed: spec.resourceAttributes.name === 'good' }));
  });
  const count = async (name: string): Promise<number> => {
    await authorize(ask(name));
    return server.requests.length;
  };
  assert.deepEqual([await count('good'), await count('bad')], [1, 2]);
  // A known answer needs no promise.
  assert.deepEqual(authorize(ask('good')), { allowed: true });
  clock.advance(29_999);
  assert.deepEqual([await count('good'), await count('bad')], [2, 2]);
  clock.advance(1);
  assert.deepEqual([await count('good'), await count('bad')], [2, 3]);
  clock.advance(5 * 60_000 - 30_001);
  assert.equal(await count('good'), 3);
  clock.advance(1);
  assert.equal(await count('good'), 4);
});

test('a question with very much text of the client is not kept', async (t) => {
  const { authorize, server } = await startWebhook(t, (_request, answer) =>
    answer.send(200, review({ allowed: true })),
  );
  const long = 'x'.repeat(10_000);
  await authorize(ask(long));
  await authorize(ask(long));
  assert.equal(server.requests.length, 2);
});

/** Lets the pauses between retries pass, which are all that waits for this clock, until the response is there. */
async function settle<Value>(clock: ManualClock, answer: Promise<Value>): Promise<Value> {
  let settled = false;
  const watched = answer.finally(() => {
    settled = true;
  });
  watched.catch(() => {}); // The caller of settle() gets the error.
  const passPause = (): boolean => {
    clock.advance(10_000);
    return settled;
  };
  await eventually('the webhook decides', passPause, { everyMs: 0 });
  return answer;
}

const failing = [
  { name: '500', status: 500, tries: 5 },
  { name: '504', status: 504, tries: 5 },
  { name: '429', status: 429, tries: 5 },
  { name: '503 without a word when to come back', status: 503, tries: 1 },
  { name: '503 with one', status: 503, headers: { 'retry-after': '1' }, tries: 5 },
  { name: '403', status: 403, tries: 1 },
  { name: '404', status: 404, tries: 1 },
];
for (const { name, status, headers, tries } of failing) {
  test(`a service that answers ${name} is asked ${tries} times, and is an outage`, async (t) => {
    const { authorize, server, clock, calls } = await startWebhook(t, (_request, answer) =>
      answer.send(status, 'no', headers ?? {}),
    );
    await assert.rejects(settle(clock, Promise.resolve(authorize(ask()))), { code: status });
    assert.equal(server.requests.length, tries);
    assert.deepEqual(
      calls.map((call) => [call.result, call.status]),
      Array.from({ length: tries }, () => [status === 504 ? 'timeout' : 'error', status]),
    );
  });
}

test('a service that comes back is heard, also after a lost connection', async (t) => {
  let count = 0;
  const { authorize, clock } = await startWebhook(t, (_request, answer) => {
    count += 1;
    if (count === 1) answer.cutConnection();
    else if (count === 2) answer.send(500, 'no');
    else answer.send(200, review({ allowed: true }));
  });
  assert.deepEqual(await settle(clock, Promise.resolve(authorize(ask()))), { allowed: true });
  assert.equal(count, 3);
});

test('a service that is not there is an outage at once, unless somebody else allows', async (t) => {
  const { authorize, server } = await startWebhook(t, () => assert.fail('stopped'));
  await server.stop();
  await assert.rejects(Promise.resolve(authorize(ask())), { code: 'ECONNREFUSED' });
  const decision = await unionAuthorizer([
    { name: 'webhook', authorize },
    { name: 'all', authorize: () => ({ allowed: true }) },
  ])(ask());
  assert.deepEqual(decision, { allowed: true });
});

const nonsense = [
  { name: 'no JSON', body: 'yes', want: /./ },
  {
    name: 'another kind',
    body: { kind: 'Status', apiVersion: 'v1' },
    want: /not answered with a SubjectAccessReview/,
  },
  {
    name: 'another version',
    body: { ...review({ allowed: true }), apiVersion: 'authorization.k8s.io/v2' },
    want: /another version/,
  },
  { name: 'text instead of true', body: review({ allowed: 'true' }), want: /wrong types/ },
  { name: 'both', body: review({ allowed: true, denied: true }), want: /both allow and deny/ },
  { name: 'more than a megabyte', body: 'x'.repeat(1024 * 1024 + 1), want: /./ },
];
for (const { name, body, want } of nonsense) {
  test(`an answer that is none allows nothing: ${name}`, async (t) => {
    const { authorize } = await startWebhook(t, (_request, answer) => answer.send(200, body));
    await assert.rejects(Promise.resolve(authorize(ask())), want);
  });
}

test('whoever leaves does not wait', async (t) => {
  const received = Promise.withResolvers<void>();
  const { authorize, calls } = await startWebhook(t, () => received.resolve());
  const controller = new AbortController();
  const answer = authorize({ ...ask(), cancellation: controller });
  void received.promise.then(() => controller.abort(new Error('gone')));
  await assert.rejects(Promise.resolve(answer), { message: 'gone' });
  assert.deepEqual(
    calls.map(({ result }) => result),
    ['canceled'],
  );
});
