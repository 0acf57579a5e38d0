import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainError, type StatusError, unauthorized } from '@tributary/apimachinery';
import type { Transport } from '@tributary/client';
import { createAuthority } from '@tributary/server/pki';
import { VirtualClock } from '../../../../test/harness/index.ts';
import { readReview, watchClusterUser } from './cluster-user.ts';

const jane = { username: 'jane', uid: '7', groups: ['dev'], extra: { 'a/b': ['c'] } };
const janeKnown = { name: 'jane', uid: '7', groups: ['dev'], extra: { 'a/b': ['c'] } };

test('a review is read, and what is no review refused', () => {
  assert.deepEqual(readReview({ status: { userInfo: jane } }), janeKnown);
  assert.deepEqual(readReview({ status: { userInfo: { username: 'bob' } } }), {
    ...{ name: 'bob', uid: '', groups: [], extra: {} },
  });
  for (const bad of [
    undefined,
    {},
    { status: { userInfo: {} } },
    { status: { userInfo: { username: '' } } },
    { status: { userInfo: { username: 'a', groups: 'system:masters' } } },
    { status: { userInfo: { username: 'a', groups: [1] } } },
    { status: { userInfo: { username: 'a', extra: { b: 'c' } } } },
  ]) {
    assert.throws(() => readReview(bad), /SelfSubjectReview/, JSON.stringify(bad));
  }
});

const authority = createAuthority('clients');
const pair = authority.issue({ commonName: 'joe', organizations: ['qa'], usage: 'client' });
const certificate = { certificate: { pem: pair.cert }, key: { pem: pair.key } };
const joe = { name: 'joe', uid: '', groups: ['qa', 'system:authenticated'], extra: {} };

const fallbacks: {
  name: string;
  failure: StatusError;
  identity: object;
  want: object | undefined;
}[] = [
  { name: 'no such review', failure: plainError('no', 404), identity: { certificate }, want: joe },
  { name: 'nobody may ask', failure: plainError('no', 403), identity: { certificate }, want: joe },
  { name: 'no certificate', failure: plainError('no', 404), identity: {}, want: undefined },
  {
    name: 'a certificate, but the user is to be somebody else',
    failure: plainError('no', 404),
    identity: { certificate, impersonate: { user: 'root' } },
    want: undefined,
  },
  {
    name: 'a certificate that the cluster refuses',
    failure: unauthorized(),
    identity: { certificate },
    want: undefined,
  },
];

for (const { name, failure, identity, want } of fallbacks) {
  test(`without an answer, the certificate says who it is: ${name}`, async () => {
    using user = follow(async () => Promise.reject(failure), { identity }).user;
    await user.reviewed;
    assert.deepEqual(user.current, want);
    assert.equal(user.problem?.code, want === undefined ? 503 : undefined);
  });
}

test('an answer holds while the cluster is away, and ends when the user is refused', async () => {
  let response: () => Promise<object> = async () => ({ status: { userInfo: jane } });
  const { user, clock } = follow(() => response());
  await user.reviewed;
  const first = user.current;
  assert.deepEqual(first, janeKnown);
  await advance(clock, 60_000);
  assert.equal(user.current, first); // the same object
  response = async () => Promise.reject(new Error('away'));
  await advance(clock, 60_000);
  assert.equal(user.current, first);
  assert.equal(user.problem, undefined);
  response = async () => Promise.reject(unauthorized());
  await advance(clock, 2_000);
  assert.equal(user.current, undefined);
  const { problem } = user as { readonly problem: StatusError | undefined };
  assert.match(problem?.message ?? '', /did not say who you are: Unauthorized/);
  response = async () => ({ status: { userInfo: jane } });
  await advance(clock, 2_000);
  assert.deepEqual(user.current, janeKnown);
  user.close();
});

function follow(response: () => Promise<object>, { identity = {} }: { identity?: object } = {}) {
  const clock = new VirtualClock();
  const request = async () => ({ body: Buffer.from(JSON.stringify(await response())) });
  const user = watchClusterUser({
    config: { server: 'https://cluster', namespace: 'default', identity },
    transport: { request } as unknown as Pick<Transport, 'request'>,
    clock,
    log: { error() {} } as never,
  });
  return { user, clock };
}

async function advance(clock: VirtualClock, ms: number): Promise<void> {
  await clock.advance(ms);
  await new Promise((resolve) => setImmediate(resolve));
}
