import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { stringifyYaml } from '@tributary/apimachinery';
import { manualClock } from '@tributary/storage';
import { eventually } from '../../../../../test/harness/index.ts';
import {
  type JwtIssuerFixture,
  startJwtIssuer,
  WELL_KNOWN,
} from '../../../test/jwt-issuer-fixture.ts';
import { allAlgorithms, type IssuerSettings } from './issuer-settings.ts';
import { JwtIssuers, type JwtIssuersOptions } from './jwt-issuers.ts';

const NOW_SECONDS = 1_700_000_000;
const CLAIMS = { sub: 'alice', aud: 'me', exp: NOW_SECONDS + 600 };

describe('tokens of an external issuer', () => {
  let issuer: JwtIssuerFixture;
  before(async () => {
    issuer = await startJwtIssuer();
  });
  after(() => issuer[Symbol.asyncDispose]());

  const settingsOf = (
    from: JwtIssuerFixture,
    more: Partial<IssuerSettings> = {},
  ): IssuerSettings => ({
    url: from.url,
    certificateAuthority: from.ca,
    audiences: ['me'],
    username: { claim: 'sub', prefix: 'oidc:' },
    groups: { claim: 'groups', prefix: 'g:' },
    requiredClaims: new Map(),
    algorithms: allAlgorithms,
    ...more,
  });

  function open(t: TestContext, issuers: IssuerSettings[], more: Partial<JwtIssuersOptions> = {}) {
    const clock = manualClock(NOW_SECONDS * 1000);
    const problems: string[] = [];
    const opened = new JwtIssuers({
      issuers,
      apiAudiences: ['api'],
      disallowedIssuers: ['https://self'],
      clock,
      onProblem: (_url, problem) => problems.push(problem.message),
      ...more,
    });
    t.after(() => opened.close());
    return Object.assign(opened, { clock, reported: problems });
  }

  /** The issuer responds over a real connection. */
  async function until(condition: () => boolean): Promise<void> {
    await eventually(() => String(condition), condition);
  }

  async function ready(t: TestContext, more: Partial<IssuerSettings> = {}) {
    const opened = open(t, [settingsOf(issuer, more)]);
    await until(() => opened.problems().length === 0);
    return opened;
  }

  const users: {
    name: string;
    claims: object;
    settings?: Partial<IssuerSettings>;
    want: object;
  }[] = [
    {
      name: 'with groups',
      claims: { groups: ['a', 'b,c'], jti: 'id' },
      want: {
        name: 'oidc:alice',
        uid: '',
        groups: ['g:a', 'g:b,c'],
        extra: { 'authentication.kubernetes.io/credential-id': ['JTI=id'] },
      },
    },
    {
      name: 'with a single group, for one of several audiences',
      claims: { groups: 'a', aud: ['x', 'you'] },
      settings: { audiences: ['me', 'you'], uidClaim: 'oid' },
      want: { name: 'oidc:alice', uid: '', groups: ['g:a'], extra: {} },
    },
    {
      name: 'named by email',
      claims: { email: 'a@example.com', email_verified: true, oid: 'u1' },
      settings: { username: { claim: 'email', prefix: '' }, uidClaim: 'oid' },
      want: { name: 'a@example.com', uid: 'u1', groups: [], extra: {} },
    },
    {
      name: 'with required claims',
      claims: { hd: 'example.com', nbf: NOW_SECONDS + 59 },
      settings: { requiredClaims: new Map([['hd', 'example.com']]) },
      want: { name: 'oidc:alice', uid: '', groups: [], extra: {} },
    },
  ];
  for (const { name, claims, settings, want } of users) {
    test(`a user ${name}`, async (t) => {
      const { lookup } = await ready(t, settings);
      const token = await issuer.token({ oid: '', ...CLAIMS, ...claims });
      const result = await lookup(token);
      assert.ok(result.outcome === 'authenticated', JSON.stringify(result));
      assert.deepEqual(result.user, want);
      assert.deepEqual((await lookup(token, ['x', 'api'])).audiences, ['api']);
      assert.equal((await lookup(token, ['x'])).outcome, 'no-opinion');
    });
  }

  const EMAIL = { username: { claim: 'email', prefix: '' } };
  const rejected: {
    name: string;
    claims: object;
    settings?: Partial<IssuerSettings>;
    header?: object;
    why: string | RegExp;
  }[] = [
    {
      name: 'for another audience',
      claims: { aud: ['you', 'x'] },
      why: 'oidc: verify token: oidc: expected audience "me" got ["you" "x"]',
    },
    {
      name: 'for none of several audiences',
      claims: { aud: 'x' },
      settings: { audiences: ['z', 'a'] },
      why: 'oidc: verify token: oidc: expected audience in ["a" "z"] got ["x"]',
    },
    {
      name: 'that has expired',
      claims: { exp: NOW_SECONDS - 1 },
      why: 'oidc: verify token: oidc: token is expired (Token Expiry: 2023-11-14 22:13:19 +0000 UTC)',
    },
    {
      name: 'without expiration',
      claims: { exp: undefined },
      why: 'oidc: verify token: oidc: token is expired (Token Expiry: 0001-01-01 00:00:00 +0000 UTC)',
    },
    {
      name: 'that is not valid yet',
      claims: { nbf: NOW_SECONDS + 61 },
      why: /^oidc: verify token: oidc: current time .* before the nbf \(not before\) time/,
    },
    {
      name: 'with another algorithm',
      claims: {},
      settings: { algorithms: ['ES256'] },
      why: 'oidc: verify token: oidc: id token signed with unsupported algorithm, expected ["ES256"] got "RS256"',
    },
    {
      name: 'with an unknown key',
      claims: {},
      header: { kid: 'other' },
      why: 'oidc: verify token: failed to verify signature: failed to verify id token signature',
    },
    {
      name: 'without a username',
      claims: { sub: undefined },
      why: 'oidc: parse username claims "sub": claim not present',
    },
    {
      name: 'with a number as username',
      claims: { id: 7 },
      settings: { username: { claim: 'id', prefix: '' } },
      why: 'oidc: parse username claims "id": json: cannot unmarshal number into Go value of type string',
    },
    {
      name: 'with groups of another type',
      claims: { groups: { a: 1 } },
      why: 'oidc: parse groups claim "groups": json: cannot unmarshal object into Go value of type string',
    },
    {
      name: 'with distributed groups',
      claims: { _claim_names: { groups: 'src' } },
      why: 'oidc: could not expand distributed claims: claims of other sources are not fetched here',
    },
    {
      name: 'with an unverified email',
      claims: { email: 'a@b', email_verified: false },
      settings: EMAIL,
      why: 'oidc: email not verified',
    },
    {
      name: 'with a string as email_verified',
      claims: { email: 'a@b', email_verified: 'true' },
      settings: EMAIL,
      why: "oidc: parse 'email_verified' claim: json: cannot unmarshal string into Go value of type bool",
    },
    {
      name: 'without a required claim',
      claims: {},
      settings: { requiredClaims: new Map([['hd', 'x']]) },
      why: 'oidc: required claim hd not present in ID token',
    },
    {
      name: 'with another value of a required claim',
      claims: { hd: 'y' },
      settings: { requiredClaims: new Map([['hd', 'x']]) },
      why: 'oidc: required claim hd value does not match. Got = y, want = x',
    },
  ];
  for (const { name, claims, settings, header, why } of rejected) {
    test(`rejected: a token ${name}`, async (t) => {
      const { lookup } = await ready(t, settings);
      const result = await lookup(await issuer.token({ ...CLAIMS, ...claims }, header));
      assert.ok(result.outcome === 'rejected', JSON.stringify(result));
      if (typeof why === 'string') assert.equal(result.reason, why);
      else assert.match(result.reason, why);
    });
  }

  test('tokens of other issuers are passed on synchronously', async (t) => {
    const { lookup } = await ready(t);
    assert.deepEqual(lookup('abc'), { outcome: 'no-opinion' });
    assert.deepEqual(lookup(await issuer.token({ ...CLAIMS, iss: 'https://x' })), {
      outcome: 'no-opinion',
    });
  });

  test('a token signed by another key with the same kid is rejected', async (t) => {
    await using forger = await startJwtIssuer();
    const { lookup } = await ready(t);
    const result = await lookup(await forger.token({ ...CLAIMS, iss: issuer.url }));
    assert.equal(result.outcome, 'rejected');
  });

  test('an unavailable issuer is retried, and its tokens are rejected until it is ready', async (t) => {
    await using unavailable = await startJwtIssuer();
    unavailable.responses.set(WELL_KNOWN, 503);
    const opened = open(t, [settingsOf(unavailable)]);
    const token = await unavailable.token(CLAIMS);
    assert.deepEqual(opened.lookup(token), {
      outcome: 'rejected',
      reason: 'oidc: authenticator not initialized',
    });
    await until(() => opened.reported.length === 1);
    unavailable.responses.clear();
    assert.equal(opened.problems().length, 1);
    opened.clock.advance(10_000);
    await until(() => opened.problems().length === 0);
    assert.equal((await opened.lookup(token)).outcome, 'authenticated');
  });

  const documents = [
    {
      name: 'of another issuer',
      document: { issuer: 'https://x', jwks_uri: 'https://x/keys' },
      want: /issuer did not match the issuer returned by provider, expected ".*" got "https:\/\/x"/,
    },
    {
      name: 'without keys',
      document: (url: string) => ({ issuer: url }),
      want: /did not return JWKS URL/,
    },
    {
      name: 'that is too long',
      document: (url: string) => ({ issuer: url, more: 'x'.repeat(1024 * 1024) }),
      want: /./,
    },
    { name: 'that is no object', document: [1], want: /no JSON object/ },
  ];
  for (const { name, document, want } of documents) {
    test(`a discovery document ${name} is rejected`, async (t) => {
      await using odd = await startJwtIssuer();
      odd.responses.set(WELL_KNOWN, typeof document === 'function' ? document(odd.url) : document);
      const opened = open(t, [settingsOf(odd)]);
      await until(() => opened.reported.length === 1);
      assert.match(opened.reported[0] ?? '', want);
      assert.equal(opened.problems().length, 1);
    });
  }

  test('an issuer with a certificate of another authority is rejected', async (t) => {
    await using other = await startJwtIssuer();
    const opened = open(t, [settingsOf(issuer, { certificateAuthority: other.ca })]);
    await until(() => opened.reported.length === 1);
    assert.match(opened.reported[0] ?? '', /certificate/);
  });

  test('a discovery document at another URL', async (t) => {
    await using elsewhere = await startJwtIssuer();
    const { url } = elsewhere;
    elsewhere.responses.set(WELL_KNOWN, 404);
    elsewhere.responses.set('/discovery?x=y', { issuer: url, jwks_uri: `${url}/keys` });
    const opened = open(t, [settingsOf(elsewhere, { discoveryUrl: `${url}/discovery?x=y` })]);
    await until(() => opened.problems().length === 0);
    const result = await opened.lookup(await elsewhere.token(CLAIMS));
    assert.equal(result.outcome, 'authenticated');
  });

  test('keys are fetched once, again for a new key, and at most every ten seconds', async (t) => {
    await using rotating = await startJwtIssuer();
    const opened = open(t, [settingsOf(rotating)]);
    await until(() => opened.problems().length === 0);
    const fetches = () => rotating.requested.filter((path) => path === '/keys').length;
    const old = await rotating.token(CLAIMS);
    await Promise.all([opened.lookup(old), opened.lookup(old)]);
    assert.equal(fetches(), 1);
    for (const kid of ['a', 'b', 'c']) await opened.lookup(await rotating.token(CLAIMS, { kid }));
    assert.equal(fetches(), 1, 'unknown keys cause no request');
    await rotating.rotate();
    opened.clock.advance(10_000);
    assert.equal((await opened.lookup(await rotating.token(CLAIMS))).outcome, 'authenticated');
    assert.equal(fetches(), 2);
    assert.equal((await opened.lookup(old)).outcome, 'authenticated');
  });

  test('a key that the issuer removed is trusted for at most an hour', async (t) => {
    await using forgetful = await startJwtIssuer();
    const opened = open(t, [settingsOf(forgetful)]);
    await until(() => opened.problems().length === 0);
    const old = await forgetful.token({ ...CLAIMS, exp: NOW_SECONDS + 7200 });
    await opened.lookup(old);
    await forgetful.rotate({ forget: true });
    opened.clock.advance(3_599_999);
    assert.equal((await opened.lookup(old)).outcome, 'authenticated');
    opened.clock.advance(1);
    assert.equal((await opened.lookup(old)).outcome, 'rejected');
  });

  test('keys stay valid while the issuer is unavailable', async (t) => {
    await using unavailable = await startJwtIssuer();
    const opened = open(t, [settingsOf(unavailable)]);
    await until(() => opened.problems().length === 0);
    const token = await unavailable.token({ ...CLAIMS, exp: NOW_SECONDS + 7200 });
    await opened.lookup(token);
    unavailable.responses.set('/keys', 500);
    opened.clock.advance(3_600_000);
    assert.equal((await opened.lookup(token)).outcome, 'authenticated');
  });

  describe('reload', () => {
    const fileOf = (issuers: readonly JwtIssuerFixture[], more: object = {}) =>
      stringifyYaml({
        apiVersion: 'apiserver.config.k8s.io/v1',
        kind: 'AuthenticationConfiguration',
        jwt: issuers.map(({ url, ca }) => ({
          issuer: { url, certificateAuthority: ca, audiences: ['me'] },
          claimMappings: { username: { claim: 'sub', prefix: '' } },
        })),
        ...more,
      });

    test('replaces issuers and keeps unchanged ones', async (t) => {
      await using second = await startJwtIssuer('ES256');
      const opened = open(t, []);
      await opened.reload(fileOf([issuer]));
      const requested = issuer.requested.length;
      await opened.reload(fileOf([issuer, second]));
      assert.equal(issuer.requested.length, requested, 'it is not fetched again');
      const [a, b] = [await issuer.token(CLAIMS), await second.token(CLAIMS)];
      assert.equal((await opened.lookup(a)).outcome, 'authenticated');
      assert.equal((await opened.lookup(b)).outcome, 'authenticated');
      await opened.reload(fileOf([second]));
      assert.equal((await opened.lookup(a)).outcome, 'no-opinion');
      assert.equal((await opened.lookup(b)).outcome, 'authenticated');
    });

    for (const { name, before, after } of [
      { name: 'removed', before: { enabled: false, paths: [] }, after: undefined },
      { name: 'added', before: undefined, after: { enabled: false } },
      {
        name: 'another path',
        before: { enabled: true, paths: ['/healthz'] },
        after: { enabled: true, conditions: [{ path: '/livez' }] },
      },
    ]) {
      test(`rejects a change of anonymous: ${name}`, async (t) => {
        const opened = open(t, [], before && { anonymous: before });
        const file = fileOf([issuer], after && { anonymous: after });
        const message = 'anonymous: Forbidden: changed from initial configuration file';
        await assert.rejects(opened.reload(file), { message });
        assert.deepEqual(opened.anonymous, before);
        assert.equal((await opened.lookup(await issuer.token(CLAIMS))).outcome, 'no-opinion');
      });
    }

    test('of an invalid file changes nothing', async (t) => {
      const opened = open(t, []);
      await opened.reload(fileOf([issuer]));
      await assert.rejects(opened.reload('jwt: 7'), /no kind/);
      const self = { url: 'https://self', ca: '' } as JwtIssuerFixture;
      await assert.rejects(opened.reload(fileOf([self])), /disallowed issuers/);
      assert.equal((await opened.lookup(await issuer.token(CLAIMS))).outcome, 'authenticated');
    });

    test('with an issuer that does not respond changes nothing', async (t) => {
      await using silent = await startJwtIssuer();
      silent.responses.set(WELL_KNOWN, 503);
      const opened = open(t, []);
      await opened.reload(fileOf([issuer]));
      const failed = assert.rejects(opened.reload(fileOf([silent])), /is not healthy: /);
      await until(() => opened.reported.length === 1);
      opened.clock.advance(60_000);
      await failed;
      assert.equal((await opened.lookup(await issuer.token(CLAIMS))).outcome, 'authenticated');
      assert.equal((await opened.lookup(await silent.token(CLAIMS))).outcome, 'no-opinion');
    });
  });
});
