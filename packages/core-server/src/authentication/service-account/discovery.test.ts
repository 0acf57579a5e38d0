import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { requestFor } from '../../../../server/test/request-fixture.ts';
import {
  ecKey,
  ISSUER,
  NOW_MS,
  NOW_SECONDS,
  newKeys,
  rsaKey,
} from '../../../test/service-account-fixture.ts';
import { type DiscoveryOptions, serviceAccountDiscovery } from './discovery.ts';
import { issueToken } from './issue-token.ts';
import { serviceAccountKeys } from './key-set.ts';

const keys = newKeys(rsaKey());

function discovery(options: Partial<DiscoveryOptions> = {}) {
  return serviceAccountDiscovery({
    issuer: ISSUER,
    externalAddress: '10.0.0.1:6443',
    keys: () => keys,
    ...options,
  });
}

function get(path: string, options: Partial<DiscoveryOptions> = {}) {
  const found = discovery(options);
  assert.ok('route' in found);
  const response = found.route(requestFor(path));
  assert.ok(response?.kind === 'bytes');
  const { code, contentType, headers } = response;
  const body = JSON.parse(Buffer.concat(response.chunks).toString());
  return { head: { code, contentType, headers }, body };
}

describe('discovery documents of service account tokens', () => {
  test('the OpenID configuration', () => {
    const { head, body } = get('/.well-known/openid-configuration');
    assert.deepEqual(head, {
      code: 200,
      contentType: 'application/json',
      headers: [['Cache-Control', 'public, max-age=3600']],
    });
    assert.deepEqual(body, {
      issuer: ISSUER,
      jwks_uri: 'https://10.0.0.1:6443/openid/v1/jwks',
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256', 'RS256'],
    });
    const elsewhere = { jwksUri: 'https://keys.example.com/jwks' };
    const other = get('/.well-known/openid-configuration', elsewhere);
    assert.equal(other.body.jwks_uri, 'https://keys.example.com/jwks');
  });

  test('the key set verifies a token in another library', async () => {
    const { head, body } = get('/openid/v1/jwks');
    assert.equal(head.contentType, 'application/jwk-set+json');
    assert.deepEqual(head.headers, [['Cache-Control', 'public, max-age=3600']]);
    assert.deepEqual(
      body.keys.map((key: object) => Object.keys(key)),
      [
        ['use', 'kty', 'kid', 'crv', 'alg', 'x', 'y'],
        ['use', 'kty', 'kid', 'alg', 'n', 'e'],
      ],
      'without private parts',
    );
    const token = await issueToken(
      { key: keys.signing, issuer: ISSUER },
      {
        namespace: 'ns1',
        serviceAccount: { name: 'bot', uid: 'sa-1' },
        audiences: ['vault'],
        jti: 'id-1',
        issuedAtSeconds: NOW_SECONDS,
        expiresAtSeconds: NOW_SECONDS + 600,
      },
    );
    await jwtVerify(token, createLocalJWKSet(body as JSONWebKeySet), {
      issuer: ISSUER,
      audience: 'vault',
      currentDate: new Date(NOW_MS),
    });
  });

  test('the key set follows the keys', () => {
    let current = keys;
    const found = discovery({ keys: () => current });
    assert.ok('route' in found);
    const before = found.route(requestFor('/openid/v1/jwks'));
    assert.equal(found.route(requestFor('/openid/v1/jwks')), before, 'created once');
    current = serviceAccountKeys({ signingKey: ecKey() });
    assert.notEqual(found.route(requestFor('/openid/v1/jwks')), before);
  });

  test('other paths are not served, other methods are not allowed', () => {
    const found = discovery();
    assert.ok('route' in found);
    assert.equal(found.route(requestFor('/openid/v1')), undefined);
    const post = requestFor('/openid/v1/jwks', { method: 'POST' });
    assert.throws(() => found.route(post), { code: 405 });
  });

  for (const [accept, isFine] of [
    ['*/*', true],
    ['text/html, application/jwk-set+json;q=0.5', true],
    ['application/*', false],
    ['application/json', false],
  ] as const) {
    test(`the key set with Accept: ${accept}`, () => {
      const found = discovery();
      assert.ok('route' in found);
      const request = requestFor('/openid/v1/jwks', { headerLines: ['Accept', accept] });
      if (isFine) assert.equal(found.route(request)?.kind, 'bytes');
      else {
        assert.throws(() => found.route(request), {
          code: 406,
          message: '406: Not Acceptable\n\nAvailable representations: application/jwk-set+json',
        });
      }
    });
  }

  const refused = [
    { options: { issuer: '' }, reason: 'empty issuer URL' },
    { options: { issuer: 'api' }, reason: 'issuer URL must use https scheme, got: api' },
    { options: { issuer: 'http://a' }, reason: 'issuer URL must use https scheme, got: http://a' },
    {
      options: { issuer: 'https://a?b' },
      reason: 'issuer URL may not include a query, got: https://a?b',
    },
    {
      options: { issuer: 'https://a#b' },
      reason: 'issuer URL may not include a fragment, got: https://a#b',
    },
    {
      options: { jwksUri: 'http://a/b' },
      reason: 'jwksURI requires https scheme, parsed as: http://a/b',
    },
  ];
  for (const { options, reason } of refused) {
    test(`an invalid issuer has no documents: ${reason}`, () =>
      assert.deepEqual(discovery(options), { reason }));
  }
});
