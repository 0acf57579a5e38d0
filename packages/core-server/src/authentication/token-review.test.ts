import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TokenReview } from '@tributary/api/authentication-v1';
import { bearerTokenAuthenticator } from '../../../server/src/auth/bearer-token.ts';
import { inAuthenticatedGroup, orAnonymous } from '../../../server/src/auth/groups.ts';
import { requestFor } from '../../../server/test/request-fixture.ts';
import { selfSubjectReview } from './self-subject-review.ts';
import { type AudienceTokenLookup, rejected } from './token-lookup.ts';
import { reviewToken } from './token-review.ts';

/** A token says for whom it is after a colon. */
const lookup: AudienceTokenLookup = async (token, audiences = []) => {
  const [name = '', forWhom] = token.split(':');
  if (name === 'stranger') return { outcome: 'no-opinion' };
  if (name === 'old') return rejected('service account token has expired');
  const user = { name, uid: 'u', groups: ['g'], extra: { 'k.io/x': ['1'] } };
  const found = forWhom === undefined ? audiences : audiences.filter((one) => one === forWhom);
  return { outcome: 'authenticated', user, audiences: found };
};

function review(spec: object, apiAudiences: readonly string[] = ['api']): Promise<TokenReview> {
  const authenticate = (
    headerLines: readonly string[],
    tokens: Parameters<typeof bearerTokenAuthenticator>[0],
  ) =>
    orAnonymous(inAuthenticatedGroup(bearerTokenAuthenticator(tokens)))(
      requestFor('/', { headerLines }),
    );
  const sent = { kind: 'TokenReview', apiVersion: 'authentication.k8s.io/v1', metadata: {}, spec };
  return reviewToken({ lookup, authenticate, apiAudiences }, sent as unknown as TokenReview);
}

describe('a review of a token', () => {
  const ALICE = {
    username: 'alice',
    uid: 'u',
    groups: ['g', 'system:authenticated'],
    extra: { 'k.io/x': ['1'] },
  };
  const cases = [
    {
      name: 'of a user, with the groups that requests have',
      spec: { token: 'alice' },
      want: { authenticated: true, user: ALICE, audiences: ['api'] },
    },
    {
      name: 'for other audiences',
      spec: { token: 'alice:b', audiences: ['a', 'b'] },
      want: { authenticated: true, user: ALICE, audiences: ['b'] },
    },
    {
      name: 'by a server without audiences',
      spec: { token: 'alice' },
      apiAudiences: [],
      want: { authenticated: true, user: ALICE },
    },
    {
      name: 'that nobody knows',
      spec: { token: 'stranger' },
      want: { user: {}, error: 'invalid bearer token' },
    },
    {
      name: 'that is wrong',
      spec: { token: 'old' },
      want: {
        user: {},
        error: '[invalid bearer token, service account token has expired]',
      },
    },
    {
      name: 'that is none, as a header is read',
      spec: { token: ' alice' },
      want: {
        authenticated: true,
        user: { username: 'system:anonymous', groups: ['system:unauthenticated'] },
        audiences: ['api'],
      },
    },
  ];
  for (const { name, spec, apiAudiences, want } of cases) {
    test(name, async () => {
      const answer = await review(spec, apiAudiences);
      assert.deepEqual(answer.status, want);
      assert.deepEqual(answer.spec, spec);
    });
  }

  for (const spec of [{}, { token: '' }]) {
    test(`without a token: ${JSON.stringify(spec)}`, async () => {
      await assert.rejects(review(spec), {
        code: 400,
        message: 'token is required for TokenReview in authentication',
      });
    });
  }

  test('that an authenticator believed for other audiences is an error of ours', async () => {
    await assert.rejects(review({ token: 'alice:b', audiences: ['a'] }), {
      code: 500,
      message: 'Internal error occurred: error validating audiences',
    });
  });
});

test('a review of oneself', () => {
  const user = { name: 'alice', uid: '', groups: ['g'], extra: { a: ['b'] } };
  assert.deepEqual(selfSubjectReview(user, 0), {
    kind: 'SelfSubjectReview',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { creationTimestamp: '1970-01-01T00:00:00Z' },
    status: { userInfo: { username: 'alice', groups: ['g'], extra: { a: ['b'] } } },
  });
});
