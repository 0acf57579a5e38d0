import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestOptions, TransportResponse } from '@tributary/client';
import { manualClock } from '@tributary/storage';
import { accessInfo, person } from '../../test/access-fixture.ts';
import { type ReviewCall, reviewAuthorizer } from './review-authorizer.ts';

/** A core server with scripted responses; the webhook of the core server tests the same over TLS. */
function asked(status: (name: string) => object) {
  const clock = manualClock();
  const calls: {
    path: string;
    query: unknown;
    spec: { resourceAttributes?: { name?: string } };
  }[] = [];
  const observed: ReviewCall[] = [];
  const authorize = reviewAuthorizer({
    transport: {
      request: async (_method: string, path: string, options: RequestOptions = {}) => {
        const { spec } = JSON.parse(String(options.body));
        calls.push({ path, query: options.query, spec });
        const response = {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SubjectAccessReview',
          status: status(spec.resourceAttributes?.name ?? ''),
        };
        return { status: 201, body: Buffer.from(JSON.stringify(response)) } as TransportResponse;
      },
    },
    clock,
    allowTtlMs: 10_000,
    denyTtlMs: 5_000,
    timeoutMs: 10_000,
    observe: (call) => observed.push(call),
  });
  const ask = (name: string, namespace = 'eu') =>
    authorize({ user: person('alice'), info: accessInfo({ resource: 'pods', namespace, name }) });
  return { clock, calls, observed, ask };
}

test('answers hold for their time', async () => {
  const { ask, clock, calls, observed } = asked((name) => ({ allowed: name === 'good' }));
  assert.deepEqual(await ask('good'), { allowed: true });
  assert.deepEqual(await ask('bad'), { allowed: false });
  assert.deepEqual(calls[0], {
    path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    query: { timeout: '10s' },
    spec: {
      resourceAttributes: {
        namespace: 'eu',
        verb: 'get',
        version: 'v1',
        resource: 'pods',
        name: 'good',
      },
      user: 'alice',
    },
  });
  clock.advance(4_999);
  assert.deepEqual([ask('good'), ask('bad')], [{ allowed: true }, { allowed: false }]);
  clock.advance(1);
  assert.deepEqual(ask('good'), { allowed: true });
  assert.ok(ask('bad') instanceof Promise);
  clock.advance(5_000);
  assert.ok(ask('good') instanceof Promise);
  assert.equal(observed[0]?.status, 201);
});

test('the same question at the same time is one call', async () => {
  const { ask, calls } = asked(() => ({ allowed: true }));
  await Promise.all([ask('a'), ask('a'), ask('b'), ask('a', 'us')]);
  assert.equal(calls.length, 3);
});

const sizes = [
  { name: 'just below the bound', text: 'x'.repeat(10_000 - 'euget v1pods'.length), cached: true },
  { name: 'at the bound', text: 'x'.repeat(10_000 - 'eugetv1pods'.length), cached: false },
  { name: 'at the bound in bytes', text: 'é'.repeat(5_000), cached: false },
];
for (const { name, text, cached } of sizes) {
  test(`text of the client ${name} is ${cached ? '' : 'not '}kept`, async () => {
    const { ask, calls } = asked(() => ({ allowed: true }));
    await ask(text);
    await ask(text);
    assert.equal(calls.length, cached ? 1 : 2);
  });
}

test('beyond 8192 answers the one goes that was asked for longest ago', async () => {
  const { ask, calls } = asked(() => ({ allowed: true }));
  for (let index = 0; index <= 8192; index += 1) await ask(`pod-${index}`);
  assert.equal(calls.length, 8193);
  assert.ok(!(ask('pod-1') instanceof Promise));
  assert.ok(ask('pod-0') instanceof Promise);
});

test('both yes and no is an outage', async () => {
  const { ask } = asked(() => ({ allowed: true, denied: true }));
  await assert.rejects(Promise.resolve(ask('a')), /both allow and deny/);
  assert.throws(() => ask('a'), /both allow and deny/);
});
