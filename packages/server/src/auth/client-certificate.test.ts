import assert from 'node:assert/strict';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { describe, test } from 'node:test';
import { requestFor } from '../../test/request-fixture.ts';
import { distinguishedName, signCertificate } from '../pki/certificate.ts';
import type { Authentication } from '../request/authenticator.ts';
import { certificatePool } from './certificate-pool.ts';
import { clientCertificateAuthenticator } from './client-certificate.ts';

const COMMON_NAME = '2.5.4.3';
const ORGANIZATION = '2.5.4.10';
const UID = '1.3.6.1.4.1.57683.2';

describe('the uid in a certificate', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  /** A self-signed certificate, which is its own CA. */
  function authenticate(attributes: readonly (readonly [string, string])[]) {
    const name = distinguishedName(attributes);
    const pem = signCertificate({
      issuer: name,
      subject: name,
      notBefore: new Date(Date.now() - 60_000),
      notAfter: new Date(Date.now() + 60_000),
      publicKey,
      signingKey: privateKey,
      extensions: [],
    });
    const pool = certificatePool(pem);
    const authenticator = clientCertificateAuthenticator({
      pool: () => pool,
      nowMs: () => Date.now(),
    });
    const peer = { address: '', certificate: new X509Certificate(pem).raw };
    return authenticator(requestFor('/', { peer })) as Authentication;
  }

  const users = [
    { name: 'none', attributes: [], uid: '' },
    { name: 'one', attributes: [[UID, 'u-1']], uid: 'u-1' },
    {
      name: 'one with a line break that looks like another',
      attributes: [[UID, `a\n${UID}=b`]],
      uid: `a\n${UID}=b`,
    },
  ] as const;
  for (const { name, attributes, uid } of users) {
    test(name, () => {
      const result = authenticate([[COMMON_NAME, 'carol'], [ORGANIZATION, 'dev'], ...attributes]);
      assert.ok(result.outcome === 'authenticated', JSON.stringify(result));
      const { extra: _, ...user } = result.user;
      assert.deepEqual(user, { name: 'carol', uid, groups: ['dev'] });
    });
  }

  const rejected = [
    {
      name: 'two',
      attributes: [
        [UID, 'a'],
        [UID, 'b'],
      ],
      why: 'expected 1 UID, but found multiple: [a b]',
    },
    { name: 'an empty one', attributes: [[UID, '']], why: 'UID cannot be an empty string' },
  ] as const;
  for (const { name, attributes, why } of rejected) {
    test(`${name} is rejected`, () => {
      const result = authenticate([[COMMON_NAME, 'carol'], ...attributes]);
      assert.deepEqual(result, { outcome: 'rejected', reason: why });
    });
  }

  test('without a name it is of no use', () => {
    assert.deepEqual(
      authenticate([
        [UID, 'a'],
        [UID, 'b'],
      ]),
      { outcome: 'no-opinion' },
    );
  });
});
