import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ISSUER, NOW_MS, newCluster, newKeys } from '../../test/service-account-fixture.ts';
import { issueToken } from './service-account/issue-token.ts';
import { serviceAccountTokens } from './service-account/verify-token.ts';
import { tokenAuthenticators } from './token-authenticators.ts';
import {
  type AudienceTokenLookup,
  audienceAgnostic,
  noOpinion,
  rejected,
  type TokenAuthentication,
} from './token-lookup.ts';

const known = (name: string): TokenAuthentication => ({
  outcome: 'authenticated',
  user: { name, uid: '', groups: [], extra: {} },
});
const later = (result: TokenAuthentication) => async () => result;

describe('the union of token authenticators', () => {
  const cases: { name: string; sources: AudienceTokenLookup[]; want: TokenAuthentication }[] = [
    { name: 'without authenticators has no opinion', sources: [], want: noOpinion },
    {
      name: 'has no opinion on unknown tokens',
      sources: [() => noOpinion, later(noOpinion)],
      want: noOpinion,
    },
    {
      name: 'returns the first authenticated user',
      sources: [() => known('a'), () => known('b')],
      want: known('a'),
    },
    {
      name: 'continues after a rejection',
      sources: [() => rejected('x'), later(rejected('y')), later(known('c'))],
      want: known('c'),
    },
    {
      name: 'joins rejections without repeats',
      sources: [() => rejected('x'), later(noOpinion), later(rejected('y')), () => rejected('x')],
      want: rejected('x, y'),
    },
  ];
  for (const { name, sources, want } of cases) {
    test(name, async () => {
      const names = [
        ...['staticTokens', 'legacyServiceAccounts', 'serviceAccounts', 'bootstrapTokens'],
        ...['jwtIssuers', 'webhook'],
      ];
      // In another order than the authenticators are called.
      const entries = sources.map((lookup, index) => [names[index], lookup]).reverse();
      const lookup = tokenAuthenticators(Object.fromEntries(entries), { nowMs: () => 0 });
      assert.deepEqual(await lookup('t'), want);
    });
  }
});

describe('an authenticated token', () => {
  async function start() {
    const keys = newKeys();
    const cluster = newCluster();
    let nowMs = NOW_MS;
    const serviceAccounts = serviceAccountTokens({
      keys: () => keys,
      issuers: [ISSUER],
      apiAudiences: [ISSUER],
      live: cluster,
      nowMs: () => nowMs,
    });
    const lookup = tokenAuthenticators({ serviceAccounts }, { nowMs: () => nowMs });
    const token = await issueToken(
      { key: keys.signing, issuer: ISSUER },
      {
        namespace: 'ns1',
        serviceAccount: { name: 'bot', uid: 'sa-1' },
        audiences: [ISSUER],
        jti: 'id-1',
        issuedAtSeconds: NOW_MS / 1000,
        expiresAtSeconds: NOW_MS / 1000 + 3600,
      },
    );
    const pass = (ms: number) => {
      nowMs += ms;
    };
    return { lookup, token, cluster, pass };
  }

  test('is cached and returned synchronously', async () => {
    const { lookup, token, cluster } = await start();
    const first = await lookup(token);
    const { lookups } = cluster;
    const second = lookup(token);
    assert.ok(!(second instanceof Promise));
    assert.equal(second, first);
    assert.equal(cluster.lookups, lookups);
  });

  test('is authenticated again after ten seconds', async () => {
    const { lookup, token, cluster, pass } = await start();
    await lookup(token);
    cluster.accounts.pop();
    pass(9_999);
    assert.equal((await lookup(token)).outcome, 'authenticated');
    pass(1);
    assert.equal((await lookup(token)).outcome, 'rejected');
  });

  test('is verified once for concurrent requests', async () => {
    const { lookup, token, cluster } = await start();
    await Promise.all([lookup(token), lookup(token), lookup(token)]);
    assert.equal(cluster.lookups, 1);
  });

  test('for one audience is not cached for another', async () => {
    const { lookup, token } = await start();
    await lookup(token);
    assert.equal((await lookup(token, ['vault'])).outcome, 'rejected');
  });

  test('cannot be forged by a token that contains its cache key', async () => {
    const calls: [string, unknown][] = [];
    const staticTokens = (token: string, audiences?: readonly string[]) => {
      calls.push([token, audiences]);
      return audiences === undefined ? noOpinion : known('a');
    };
    const lookup = tokenAuthenticators({ staticTokens }, { nowMs: () => 0 });
    assert.equal((await lookup('t', ['vault'])).outcome, 'authenticated');
    for (const token of ['["t",["vault"]]', '["t",["vault"],0]', '["t",["vault"]]\n0', 't']) {
      assert.equal((await lookup(token)).outcome, 'no-opinion', token);
      assert.deepEqual(calls.at(-1), [token, undefined]);
    }
  });

  test('is evicted when the cache is full', async () => {
    let calls = 0;
    const staticTokens = () => {
      calls += 1;
      return known('a');
    };
    const lookup = tokenAuthenticators({ staticTokens }, { nowMs: () => 0, cacheEntriesMax: 2 });
    for (const token of ['1', '2', '1', '3', '1', '2']) lookup(token);
    assert.equal(calls, 4, 'the second was least recently used');
  });

  test('is cached, a rejected one is not', async () => {
    let calls = 0;
    const count = (result: TokenAuthentication) => async () => {
      calls += 1;
      return result;
    };
    for (const result of [noOpinion, rejected('no')]) {
      calls = 0;
      const lookup = tokenAuthenticators({ webhook: count(result) }, { nowMs: () => 0 });
      await lookup('t');
      await lookup('t');
      assert.equal(calls, 2);
    }
  });
});

describe('tokens without audiences', () => {
  const lookup = audienceAgnostic(['api', 'other'], (token) =>
    token === 't' ? known('a') : noOpinion,
  );
  const cases = [
    { audiences: undefined, want: known('a') },
    { audiences: ['x', 'api'], want: { ...known('a'), audiences: ['api'] } },
    { audiences: ['x'], want: noOpinion },
  ];
  for (const { audiences, want } of cases) {
    test(`for audiences ${audiences}`, async () =>
      assert.deepEqual(await lookup('t', audiences), want));
  }
});
