import assert from 'node:assert/strict';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { addressBytes, nameKey } from './addresses.ts';
import { namesOf, subjectOf } from './certificate-fields.ts';
import { time } from './der-writer.ts';
import { createKey, issueLeaf, type KeyPair, selfSign, validFor } from './issuing.ts';

const nowMs = Date.parse('2026-06-01T00:00:00Z');
const DAY_MS = 86_400_000;
const yearMs = 365 * DAY_MS;
const year = validFor({ nowMs, lifetimeMs: yearMs });

function authority(key = createKey()): KeyPair {
  return { key, cert: selfSign(key, 'kubernetes', validFor({ nowMs, lifetimeMs: 3650 * DAY_MS })) };
}

function rsaKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
}

const authorities: { name: string; make: () => KeyPair }[] = [
  { name: 'one of ours', make: () => authority() },
  { name: 'one with an RSA key, as kubeadm makes them', make: () => authority(rsaKey()) },
];
for (const { name, make } of authorities) {
  test(`${name} signs leaves that verify`, () => {
    const ca = make();
    const pair = issueLeaf(ca, { commonName: 'a', usage: 'server', names: ['a.example'] }, year);
    const leaf = new X509Certificate(pair.cert);
    const signer = new X509Certificate(ca.cert);
    assert.ok(leaf.checkIssued(signer) && leaf.verify(signer.publicKey));
    assert.ok(!leaf.ca && signer.ca);
    assert.equal(leaf.issuer, signer.subject);
  });
}

test('a leaf says what was asked for', () => {
  const names = ['localhost', '127.0.0.1', '::1', '2001:db8::7', 'a.b.svc.cluster.local'];
  const request = { commonName: 'Ünal "q" \\', organizations: ['a, b', 'system:masters'], names };
  const { cert, key } = issueLeaf(authority(), { ...request, usage: 'client' }, year);
  const leaf = new X509Certificate(cert);
  assert.deepEqual(subjectOf(leaf), {
    commonName: request.commonName,
    organizations: request.organizations,
  });
  assert.deepEqual(namesOf(leaf).map(nameKey), names.map(nameKey));
  assert.deepEqual(leaf.keyUsage, ['1.3.6.1.5.5.7.3.2']);
  assert.ok(leaf.checkIP('2001:db8::7') && leaf.checkHost('localhost', { subject: 'never' }));
  assert.equal(leaf.validFromDate.getTime(), nowMs - 5 * 60_000);
  assert.equal(leaf.validToDate.getTime(), nowMs + yearMs);
  assert.match(key, /^-----BEGIN PRIVATE KEY-----/);
});

test('no leaf outlives its authority', () => {
  const ca = authority();
  const { cert } = issueLeaf(
    ca,
    { commonName: 'a', usage: 'client' },
    validFor({ nowMs, lifetimeMs: 9999 * DAY_MS }),
  );
  assert.equal(new X509Certificate(cert).validTo, new X509Certificate(ca.cert).validTo);
});

test('a new certificate for the same key verifies what the old one signed', () => {
  const ca = authority();
  const { cert } = issueLeaf(ca, { commonName: 'a', usage: 'client' }, year);
  const again = new X509Certificate(selfSign(ca.key, 'kubernetes', year));
  const leaf = new X509Certificate(cert);
  assert.ok(leaf.checkIssued(again) && leaf.verify(again.publicKey));
  assert.notEqual(again.serialNumber, new X509Certificate(ca.cert).serialNumber);
});

test('two authorities of one name are told apart', () => {
  const leaf = new X509Certificate(
    issueLeaf(authority(), { commonName: 'a', usage: 'client' }, year).cert,
  );
  assert.ok(!leaf.checkIssued(new X509Certificate(authority().cert)));
});

test('keys that cannot sign are refused by their type', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const key = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  assert.throws(() => authority(key), /a key of type ed25519 cannot sign here: use EC or RSA/);
});

const times = [
  {
    name: 'two digits of the year',
    date: '2049-12-31T23:59:59.999Z',
    want: '\x17\x0d491231235959Z',
  },
  { name: 'four from 2050 on', date: '2050-01-01T00:00:00Z', want: '\x18\x0f20500101000000Z' },
];
for (const { name, date, want } of times) {
  test(`times: ${name}`, () => assert.equal(time(new Date(date)).toString('latin1'), want));
}

const addresses = [
  { text: '10.0.0.1', want: '0a000001' },
  { text: '::', want: '00'.repeat(16) },
  { text: '::1', want: `${'00'.repeat(15)}01` },
  { text: '0:0:0:0:0:0:0:1', want: `${'00'.repeat(15)}01` },
  { text: '2001:DB8::', want: `20010db8${'00'.repeat(12)}` },
  { text: '::ffff:1.2.3.4', want: `${'00'.repeat(10)}ffff01020304` },
  { text: '1:2:3:4:5:6:7:8', want: '00010002000300040005000600070008' },
  { text: 'fe80::1%eth0', want: undefined },
  { text: 'localhost', want: undefined },
  { text: '', want: undefined },
];
for (const { text, want } of addresses) {
  test(`address: ${text}`, () => assert.equal(addressBytes(text)?.toString('hex'), want));
}
