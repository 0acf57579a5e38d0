import assert from 'node:assert/strict';
import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { describe, test } from 'node:test';
import { ecKey, rsaKey } from '../../../test/service-account-fixture.ts';
import { serviceAccountKeys } from './key-set.ts';

describe('keys of service accounts', () => {
  const kinds = [
    { name: 'RSA', pem: rsaKey(), algorithm: 'RS256' },
    { name: 'P-256', pem: ecKey('P-256'), algorithm: 'ES256' },
    { name: 'P-384', pem: ecKey('P-384'), algorithm: 'ES384' },
    { name: 'P-521', pem: ecKey('P-521'), algorithm: 'ES512' },
  ];
  for (const { name, pem, algorithm } of kinds) {
    test(`${name} signs with ${algorithm}, and its kid is the digest of its public key`, () => {
      const keys = serviceAccountKeys({ signingKey: pem });
      const der = createPublicKey(pem).export({ type: 'spki', format: 'der' });
      assert.equal(keys.signing.algorithm, algorithm);
      assert.equal(keys.signing.kid, createHash('sha256').update(der).digest('base64url'));
      assert.deepEqual(
        keys.find(keys.signing.kid).map((key) => key.algorithm),
        [algorithm],
      );
    });
  }

  test('other keys verify, public or private, several in one text, without repeats', () => {
    const [own, first, second] = [ecKey(), ecKey(), rsaKey()];
    const publicPem = createPublicKey(first).export({ type: 'spki', format: 'pem' }) as string;
    const sec1 = createPrivateKey(first).export({ type: 'sec1', format: 'pem' }) as string;
    const parameters =
      '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n';
    const keys = serviceAccountKeys({
      signingKey: own,
      otherKeys: [`${publicPem}\n${second}`, `${parameters}${sec1}`, own],
    });
    assert.equal(keys.verification.length, 3);
    assert.equal(keys.find('').length, 3, 'a token without a kid may use any key');
    assert.equal(keys.find('unknown').length, 0);
    for (const { key } of keys.verification) assert.equal(key.type, 'public');
  });

  const bad = [
    { name: 'a short RSA key', pem: rsaKey(1024), want: /at least 2048 bits/ },
    { name: 'another curve', pem: ecKey('secp256k1'), want: /must be 256, 384, or 521/ },
    { name: 'a text without a key', pem: 'nothing', want: /./ },
  ];
  for (const { name, pem, want } of bad) {
    test(`${name} is rejected`, () => {
      assert.throws(() => serviceAccountKeys({ signingKey: pem }), want);
      assert.throws(() => serviceAccountKeys({ signingKey: ecKey(), otherKeys: [pem] }), want);
    });
  }
});
