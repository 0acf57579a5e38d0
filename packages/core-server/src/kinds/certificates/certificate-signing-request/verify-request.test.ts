import assert from 'node:assert/strict';
import { constants, generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { der } from '@tributary/server/pki';
import {
  algorithms,
  asField,
  extensionRequest,
  makeRequest,
} from '../../../../test/certificate-request-fixture.ts';
import { parseRequest } from './parse-request.ts';
import { verifyRequest } from './verify-request.ts';

const { explicit, integer, objectIdentifier, sequence } = der;

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const otherEc = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ec384 = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const bitcoin = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const smallRsa = generateKeyPairSync('rsa', { modulusLength: 512 });
const ed = generateKeyPairSync('ed25519');
const dsa = generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 });

const sha256 = sequence(objectIdentifier('2.16.840.1.101.3.4.2.1'));
const pss = (mask: Uint8Array) =>
  sequence(
    objectIdentifier('1.2.840.113549.1.1.10'),
    sequence(
      explicit(0, sha256),
      explicit(1, sequence(objectIdentifier('1.2.840.113549.1.1.8'), mask)),
      explicit(2, integer(Buffer.from([32]))),
    ),
  );
const padding = constants.RSA_PKCS1_PSS_PADDING;

describe('a request with a valid signature', () => {
  const cases = [
    {
      name: 'P-256',
      der: makeRequest({ ...ec, hash: 'sha256', algorithm: algorithms.ecdsaSha256 }),
    },
    {
      name: 'P-384',
      der: makeRequest({ ...ec384, hash: 'sha384', algorithm: algorithms.ecdsaSha384 }),
    },
    { name: 'RSA', der: makeRequest({ ...rsa, hash: 'sha256', algorithm: algorithms.rsaSha256 }) },
    {
      name: 'RSA with SHA-1, which is good enough for a request',
      der: makeRequest({ ...rsa, hash: 'sha1', algorithm: algorithms.rsaSha1 }),
    },
    {
      name: 'RSA-PSS',
      der: makeRequest({ ...rsa, hash: 'sha256', algorithm: pss(sha256), padding }),
    },
    { name: 'Ed25519', der: makeRequest({ ...ed, hash: null, algorithm: algorithms.ed25519 }) },
    {
      name: 'with extensions',
      der: makeRequest({
        ...ec,
        hash: 'sha256',
        algorithm: algorithms.ecdsaSha256,
        attributes: extensionRequest('2.5.29.17', '2.5.29.15'),
      }),
    },
  ];
  for (const { name, der } of cases) {
    test(name, () => verifyRequest(parseRequest(asField(der))));
  }

  test('parsing a request returns the organizations of its subject', () => {
    const organizations = ['system:masters', 'Ürün'];
    const der = makeRequest({
      ...ec,
      hash: 'sha256',
      algorithm: algorithms.ecdsaSha256,
      organizations,
    });
    assert.deepEqual(parseRequest(asField(der)).organizations, organizations);
  });
});

describe('a request with an invalid signature or structure', () => {
  const good = makeRequest({ ...ec, hash: 'sha256', algorithm: algorithms.ecdsaSha256 });
  const signedBy = { hash: 'sha256', algorithm: algorithms.ecdsaSha256 };
  const cases: readonly { name: string; request: string; error: string }[] = [
    {
      name: 'nothing',
      request: '',
      error: 'PEM block type must be CERTIFICATE REQUEST',
    },
    {
      name: 'a block of another type',
      request: asField(good, 'NEW CERTIFICATE REQUEST'),
      error: 'PEM block type must be CERTIFICATE REQUEST',
    },
    {
      name: 'an empty block',
      request: asField(Buffer.alloc(0)),
      error: 'asn1: syntax error: sequence truncated',
    },
    {
      name: 'no DER at all',
      request: asField(Buffer.from('hello')),
      error:
        "asn1: structure error: tags don't match (16 vs {class:1 tag:8 length:101 isCompound:true}) {optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false} certificateRequest @2",
    },
    {
      name: 'half of one',
      request: asField(good.subarray(0, 60)),
      error: 'asn1: syntax error: data truncated',
    },
    {
      name: 'one and more',
      request: asField(Buffer.concat([good, Buffer.from([0])])),
      error: 'asn1: syntax error: trailing data',
    },
    {
      name: 'without attributes',
      request: asField(
        sequence(
          sequence(
            integer(Buffer.from([0])),
            sequence(),
            ec.publicKey.export({ format: 'der', type: 'spki' }),
          ),
        ),
      ),
      error: 'asn1: syntax error: sequence truncated',
    },
    {
      name: 'the same extension twice',
      request: asField(
        makeRequest({ ...ec, ...signedBy, attributes: extensionRequest('2.5.29.17', '2.5.29.17') }),
      ),
      error: 'x509: certificate request contains duplicate requested extensions',
    },
    {
      name: 'signed by another key',
      request: asField(makeRequest({ ...ec, ...signedBy, privateKey: otherEc.privateKey })),
      error: 'x509: ECDSA verification failure',
    },
    {
      name: 'signed by another RSA key',
      request: asField(
        makeRequest({
          publicKey: rsa.publicKey,
          privateKey: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
          hash: 'sha256',
          algorithm: algorithms.rsaSha256,
        }),
      ),
      error: 'crypto/rsa: verification error',
    },
    {
      name: 'signed by another Ed25519 key',
      request: asField(
        makeRequest({
          publicKey: ed.publicKey,
          privateKey: generateKeyPairSync('ed25519').privateKey,
          hash: null,
          algorithm: algorithms.ed25519,
        }),
      ),
      error: 'x509: Ed25519 verification failure',
    },
    {
      name: 'a small key',
      request: asField(
        makeRequest({ ...smallRsa, hash: 'sha256', algorithm: algorithms.rsaSha256 }),
      ),
      error:
        'crypto/rsa: 512-bit keys are insecure (see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size)',
    },
    {
      name: 'an old hash',
      request: asField(makeRequest({ ...rsa, hash: 'md5', algorithm: algorithms.rsaMd5 })),
      error: 'x509: cannot verify signature: insecure algorithm MD5-RSA',
    },
    {
      name: 'an algorithm for another key',
      request: asField(makeRequest({ ...rsa, ...signedBy })),
      error:
        'x509: signature algorithm specifies an ECDSA public key, but have public key of type *rsa.PublicKey',
    },
    {
      name: 'an unknown algorithm',
      request: asField(makeRequest({ ...ec, ...signedBy, algorithm: algorithms.unknown })),
      error: 'x509: cannot verify signature: algorithm unimplemented',
    },
    {
      name: 'another hash for the mask than for the message',
      request: asField(
        makeRequest({
          ...rsa,
          hash: 'sha256',
          algorithm: pss(sequence(objectIdentifier('2.16.840.1.101.3.4.2.3'))),
          padding,
        }),
      ),
      error: 'x509: cannot verify signature: algorithm unimplemented',
    },
    {
      name: 'a curve that nobody knows',
      request: asField(makeRequest({ ...bitcoin, ...signedBy })),
      error: 'x509: unsupported elliptic curve',
    },
    {
      name: 'a key that signs nothing here',
      request: asField(makeRequest({ ...dsa, ...signedBy })),
      error: 'x509: cannot verify signature: algorithm unimplemented',
    },
  ];
  for (const { name, request, error } of cases) {
    test(name, () => assert.throws(() => verifyRequest(parseRequest(request)), { message: error }));
  }
});
