import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TokenReview } from '@tributary/api/authentication-v1';
import { bearerTokenAuthenticator } from '../../../server/src/auth/bearer-token.ts';
import { inAuthenticatedGroup, orAnonymous } from '../../../server/src/auth/groups.ts';
import { requestFor } from '../../../server/test/request-fixture.ts';
import { selfSubjectReview } from './self-subject-review.ts';
import { type AudienceTokenLookup, rejected } from './token-lookup.ts';
import { reviewToken } from './token-review.ts';

/** A token names its audience after a colon. */
const lookup: AudienceTokenLookup = async (token, audiences = []) => {
  const [name = '', audience] = token.split(':');
  if (name === 'unknown') return { outcome: 'no-opinion' };
  if (name === 'old') return rejected('service account token has expired');
  const user = { name, uid: 'u', groups: ['g'], extra: { 'k.io/x': ['1'] } };
  const found = audience === undefined ? audiences : audiences.filter((one) => one === audience);
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

describe('TokenReview', () => {
  const ALICE = {
    username: 'alice',
    uid: 'u',
    groups: ['g', 'system:authenticated'],
    extra: { 'k.io/x': ['1'] },
  };
  const cases = [
    {
      name: 'of a user has the groups of requests',
      spec: { token: 'alice' },
      want: { authenticated: true, user: ALICE, audiences: ['api'] },
    },
    {
      name: 'for other audiences returns the matching ones',
      spec: { token: 'alice:b', audiences: ['a', 'b'] },
      want: { authenticated: true, user: ALICE, audiences: ['b'] },
    },
    {
      name: 'by a server without audiences returns none',
      spec: { token: 'alice' },
      apiAudiences: [],
      want: { authenticated: true, user: ALICE },
    },
    {
      name: 'of an unknown token is not authenticated',
      spec: { token: 'unknown' },
      want: { user: {}, error: 'invalid bearer token' },
    },
    {
      name: 'of a rejected token has the error',
      spec: { token: 'old' },
      want: {
        user: {},
        error: '[invalid bearer token, service account token has expired]',
      },
    },
    {
      name: 'of a token with a leading space is anonymous',
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
      const reviewed = await review(spec, apiAudiences);
      assert.deepEqual(reviewed.status, want);
      assert.deepEqual(reviewed.spec, spec);
    });
  }

  for (const spec of [{}, { token: '' }]) {
    test(`without a token is invalid: ${JSON.stringify(spec)}`, async () => {
      await assert.rejects(review(spec), {
        code: 400,
        message: 'token is required for TokenReview in authentication',
      });
    });
  }

  test('with an authenticator that ignores audiences fails with 500', async () => {
    await assert.rejects(review({ token: 'alice:b', audiences: ['a'] }), {
      code: 500,
      message: 'Internal error occurred: error validating audiences',
    });
  });
});

test('SelfSubjectReview returns the user', () => {
  const user = { name: 'alice', uid: '', groups: ['g'], extra: { a: ['b'] } };
  assert.deepEqual(selfSubjectReview(user, 0), {
    kind: 'SelfSubjectReview',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { creationTimestamp: '1970-01-01T00:00:00Z' },
    status: { userInfo: { username: 'alice', groups: ['g'], extra: { a: ['b'] } } },
  });
});
