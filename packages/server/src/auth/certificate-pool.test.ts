import assert from 'node:assert/strict';
import { generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import { describe, test } from 'node:test';
import { distinguishedName, extension, signCertificate } from '../pki/certificate.ts';
import {
  bitString,
  boolean,
  integer,
  objectIdentifier,
  sequence,
  time,
} from '../pki/der-writer.ts';
import { certificatePool } from './certificate-pool.ts';

const COMMON_NAME = '2.5.4.3';
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
const ANY_USAGE = '2.5.29.37.0';

const now = new Date('2026-06-01T00:00:00Z');
const year = (number: number) => new Date(`${number}-01-01T00:00:00Z`);
const always = { notBefore: year(2020), notAfter: year(2040) };
const caKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const userKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const CA = distinguishedName([[COMMON_NAME, 'authority']]);
const USER = distinguishedName([[COMMON_NAME, 'carol']]);

const isAuthority = extension('2.5.29.19', sequence(boolean(true)), 'critical');
const isNoAuthority = extension('2.5.29.19', sequence(), 'critical');
const signsCrlsOnly = extension('2.5.29.15', bitString(Buffer.from([0x02]), 1), 'critical');
const signsCertificates = extension('2.5.29.15', bitString(Buffer.from([0x04]), 2), 'critical');
const usages = (...oids: string[]) =>
  extension('2.5.29.37', sequence(...oids.map(objectIdentifier)));

function authority(extensions: readonly Buffer[], validity = always): string {
  const names = { issuer: CA, subject: CA };
  const keys = { publicKey: caKeys.publicKey, signingKey: caKeys.privateKey };
  return signCertificate({ ...names, ...keys, ...validity, extensions });
}

function user(extensions: readonly Buffer[] = [], validity = always, subject = USER): string {
  const keys = { publicKey: userKeys.publicKey, signingKey: caKeys.privateKey };
  return signCertificate({ issuer: CA, subject, ...keys, ...validity, extensions });
}

/** A version 1 certificate, which has no extensions. */
function oldAuthority(): string {
  const algorithm = sequence(objectIdentifier('1.2.840.10045.4.3.2'));
  const signed = sequence(
    ...[integer(Buffer.from([1])), algorithm, CA],
    ...[sequence(time(always.notBefore), time(always.notAfter)), CA],
    caKeys.publicKey.export({ format: 'der', type: 'spki' }),
  );
  const signature = sign('sha256', signed, caKeys.privateKey);
  return new X509Certificate(sequence(signed, algorithm, bitString(signature))).toString();
}

const UNKNOWN = 'x509: certificate signed by unknown authority';
const EXPIRED = 'x509: certificate has expired or is not yet valid';
const USAGE = 'x509: certificate specifies an incompatible key usage';
const well = authority([isAuthority]);
const reused = user();
const gone = authority([isAuthority], { notBefore: year(2020), notAfter: year(2026) });
const early = authority([isAuthority], { notBefore: year(2027), notAfter: year(2040) });

const cases: { name: string; bundle: string; leaf?: string; why?: string }[] = [
  { name: 'an authority', bundle: well },
  {
    name: 'one that says what its key is for',
    bundle: authority([isAuthority, signsCertificates]),
  },
  {
    name: 'one whose key is for something else',
    bundle: authority([isAuthority, signsCrlsOnly]),
    why: UNKNOWN,
  },
  { name: 'one that has expired', bundle: gone, why: EXPIRED },
  { name: 'one that is not valid yet', bundle: early, why: EXPIRED },
  { name: 'one that has expired, beside its successor', bundle: gone + well },
  { name: 'a certificate that does not say that it is one', bundle: authority([]), why: UNKNOWN },
  {
    name: 'a certificate that says that it is none',
    bundle: authority([isNoAuthority]),
    why: UNKNOWN,
  },
  { name: 'one from before certificates could say so', bundle: oldAuthority() },
  { name: 'one for servers', bundle: authority([isAuthority, usages(SERVER_AUTH)]), why: USAGE },
  { name: 'one for clients', bundle: authority([isAuthority, usages(CLIENT_AUTH)]) },
  { name: 'one for everything', bundle: authority([isAuthority, usages(ANY_USAGE)]) },
  { name: 'a leaf for servers', bundle: well, leaf: user([usages(SERVER_AUTH)]), why: USAGE },
  { name: 'a leaf for both', bundle: well, leaf: user([usages(SERVER_AUTH, CLIENT_AUTH)]) },
  { name: 'a leaf for everything', bundle: well, leaf: user([usages(ANY_USAGE)]) },
  {
    name: 'a leaf that has expired',
    bundle: well,
    leaf: user([], { ...always, notAfter: year(2026) }),
    why: EXPIRED,
  },
  { name: 'a leaf that is in the bundle itself', bundle: reused, leaf: reused },
];

describe('who vouches for a client', () => {
  for (const { name, bundle, leaf = user(), why } of cases) {
    test(name, () => {
      const pool = certificatePool(bundle);
      const { raw } = new X509Certificate(leaf);
      for (const time of ['first', 'second']) {
        const verification = pool.verify(raw, now.getTime());
        assert.equal(
          verification.outcome === 'rejected' ? verification.reason : undefined,
          why,
          time,
        );
      }
    });
  }

  test('ends with its time, for a connection that is open', () => {
    const pool = certificatePool(authority([isAuthority], { ...always, notAfter: year(2030) }));
    const { raw } = new X509Certificate(user());
    assert.equal(pool.verify(raw, now.getTime()).outcome, 'verified');
    assert.equal(pool.verify(raw, year(2031).getTime()).outcome, 'rejected');
  });

  test('of several common names the last is the user', () => {
    const subject = distinguishedName([
      [COMMON_NAME, 'first'],
      [COMMON_NAME, 'second'],
    ]);
    const { raw } = new X509Certificate(user([], always, subject));
    const verification = certificatePool(well).verify(raw, now.getTime());
    assert.ok(verification.outcome === 'verified');
    assert.equal(verification.leaf.commonName, 'second');
  });
});
