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

describe('how others verify the tokens of accounts', () => {
  test('the configuration', () => {
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

  test('the keys, by which a token is believed by a library that knows nothing of us', async () => {
    const { head, body } = get('/openid/v1/jwks');
    assert.equal(head.contentType, 'application/jwk-set+json');
    assert.deepEqual(head.headers, [['Cache-Control', 'public, max-age=3600']]);
    assert.deepEqual(
      body.keys.map((key: object) => Object.keys(key)),
      [
        ['use', 'kty', 'kid', 'crv', 'alg', 'x', 'y'],
        ['use', 'kty', 'kid', 'alg', 'n', 'e'],
      ],
      'and nothing of the private parts',
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

  test('new keys are shown', () => {
    let current = keys;
    const found = discovery({ keys: () => current });
    assert.ok('route' in found);
    const before = found.route(requestFor('/openid/v1/jwks'));
    assert.equal(found.route(requestFor('/openid/v1/jwks')), before, 'made once');
    current = serviceAccountKeys({ signingKey: ecKey() });
    assert.notEqual(found.route(requestFor('/openid/v1/jwks')), before);
  });

  test('other paths and methods are not for it', () => {
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
    test(`the keys for who accepts ${accept}`, () => {
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
    { options: { issuer: '' }, why: 'empty issuer URL' },
    { options: { issuer: 'api' }, why: 'issuer URL must use https scheme, got: api' },
    { options: { issuer: 'http://a' }, why: 'issuer URL must use https scheme, got: http://a' },
    {
      options: { issuer: 'https://a?b' },
      why: 'issuer URL may not include a query, got: https://a?b',
    },
    {
      options: { issuer: 'https://a#b' },
      why: 'issuer URL may not include a fragment, got: https://a#b',
    },
    {
      options: { jwksUri: 'http://a/b' },
      why: 'jwksURI requires https scheme, parsed as: http://a/b',
    },
  ];
  for (const { options, why } of refused) {
    test(`there is none: ${why}`, () => assert.deepEqual(discovery(options), { why }));
  }
});
