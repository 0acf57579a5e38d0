import 'reflect-metadata'; // the library that issues certificates needs it loaded first
import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { before, describe, test } from 'node:test';
import {
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Name,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { requestFor } from '../../test/request-fixture.ts';
import type { Authentication } from '../filters/authentication.ts';
import { certificatePool } from './certificate-pool.ts';
import { clientCertificateAuthenticator } from './client-certificate.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const UID = '1.3.6.1.4.1.57683.2';

describe('the uid in a certificate', () => {
  let keys: webcrypto.CryptoKeyPair;
  before(async () => {
    keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  });

  /** Signs itself, and so is its own authority. */
  async function authenticate(attributes: readonly (readonly [string, string])[]) {
    const parts = attributes.map(([type, utf8String]) => ({ [type]: [{ utf8String }] }));
    const certificate = await X509CertificateGenerator.createSelfSigned({
      serialNumber: '01',
      name: new Name(parts),
      notBefore: new Date(Date.now() - 60_000),
      notAfter: new Date(Date.now() + 60_000),
      keys,
      signingAlgorithm: ALGORITHM,
      extensions: [new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth])],
    });
    const pool = certificatePool(certificate.toString('pem'));
    const authenticator = clientCertificateAuthenticator({
      pool: () => pool,
      nowMs: () => Date.now(),
    });
    const peer = { address: '', certificate: new Uint8Array(certificate.rawData) };
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
    test(name, async () => {
      const result = await authenticate([['CN', 'carol'], ['O', 'dev'], ...attributes]);
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
    test(`${name} is rejected`, async () => {
      const result = await authenticate([['CN', 'carol'], ...attributes]);
      assert.deepEqual(result, { outcome: 'rejected', why });
    });
  }

  test('without a name it is of no use', async () => {
    assert.deepEqual(
      await authenticate([
        [UID, 'a'],
        [UID, 'b'],
      ]),
      { outcome: 'no-opinion' },
    );
  });
});
