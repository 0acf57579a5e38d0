import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessInfo, person } from '../../test/access-fixture.ts';
import { delegatedAuthorizer } from './delegated-authorizer.ts';

const paths = ['/healthz', 'livez', '/', '/debug/*'];
const masters = person('root', ['system:masters']);
const alice = person('alice', ['dev']);

const cases = [
  { name: 'a master', user: masters, info: accessInfo({ resource: 'pods' }), asked: false },
  { name: 'an open path', user: alice, info: accessInfo({ path: '/healthz' }), asked: false },
  { name: 'one without a slash', user: alice, info: accessInfo({ path: '/livez' }), asked: false },
  { name: 'the root', user: alice, info: accessInfo({ path: '/' }), asked: false },
  {
    name: 'below an open path',
    user: alice,
    info: accessInfo({ path: '/healthz/etcd' }),
    asked: true,
  },
  { name: 'a beginning', user: alice, info: accessInfo({ path: '/debug/pprof/x' }), asked: false },
  {
    name: 'the beginning itself',
    user: alice,
    info: accessInfo({ path: '/debug/' }),
    asked: false,
  },
  {
    name: 'shorter than the beginning',
    user: alice,
    info: accessInfo({ path: '/debug' }),
    asked: true,
  },
  {
    name: 'a resource that looks like an open path',
    user: alice,
    info: { ...accessInfo({ resource: 'pods' }), path: '/healthz' },
    asked: true,
  },
  { name: 'another path', user: alice, info: accessInfo({ path: '/metrics' }), asked: true },
  { name: 'a resource', user: alice, info: accessInfo({ resource: 'pods' }), asked: true },
];
for (const { name, user, info, asked } of cases) {
  test(`${name} is ${asked ? '' : 'not '}asked about`, () => {
    let reviews = 0;
    const authorize = delegatedAuthorizer({
      paths,
      review: () => {
        reviews += 1;
        return { allowed: false, reason: 'reviewed' };
      },
    });
    const want = asked
      ? { allowed: false, reason: 'kubernetes.io/webhook: reviewed' }
      : { allowed: true };
    assert.deepEqual(authorize({ user, info }), want);
    assert.equal(reviews, asked ? 1 : 0);
  });
}

test('a star is for the end', () => {
  const review = () => ({ allowed: false as const });
  assert.throws(() => delegatedAuthorizer({ paths: ['/a*b'], review }), /only trailing \* allowed/);
  const all = delegatedAuthorizer({ paths: ['*'], review });
  assert.deepEqual(all({ user: alice, info: accessInfo({ path: '/x' }) }), { allowed: true });
});
