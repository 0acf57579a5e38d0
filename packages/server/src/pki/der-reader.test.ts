import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { namesOf, parseCertificates, subjectOf } from './certificate-fields.ts';
import {
  DER_TAG,
  DerError,
  DerReader,
  derElements,
  readBitString,
  readObjectIdentifier,
} from './der-reader.ts';
import { integer, objectIdentifier, octetString, sequence } from './der-writer.ts';

const refused = [
  { name: 'no length', hex: '30', why: 'syntax error: truncated tag or length' },
  { name: 'less than it says', hex: '300201', why: 'syntax error: data truncated' },
  {
    name: 'no definite length',
    hex: '30800000',
    why: 'syntax error: indefinite length found (not DER)',
  },
  {
    name: 'a short length in the long form',
    hex: '30817f',
    why: 'structure error: non-minimal length',
  },
  {
    name: 'zeros before a length',
    hex: '30820080',
    why: 'structure error: superfluous leading zeros in length',
  },
  {
    name: 'a length of four gigabytes',
    hex: '3084ffffffff',
    why: 'structure error: length too large',
  },
  {
    name: 'a length of five bytes',
    hex: '30850100000000',
    why: 'structure error: length too large',
  },
  { name: 'a tag of several bytes', hex: '1f8101', why: 'structure error: tag too large' },
];
for (const { name, hex, why } of refused) {
  test(`refused: ${name}`, () => {
    assert.throws(() => derElements(Buffer.from(hex, 'hex')), new DerError(`asn1: ${why}`));
  });
}

test('what was written is read', () => {
  const content = [integer(Buffer.from([1])), octetString(Buffer.alloc(300, 7))];
  const [outer] = derElements(sequence(...content));
  const [number, octets] = derElements(outer?.content ?? Buffer.alloc(0));
  assert.deepEqual([number?.whole, octets?.whole], content);
  assert.equal(octets?.content.length, 300);
});

const identifiers = ['2.5.4.3', '1.2.840.113549.1.1.11', '2.999.1', '0.39', '1.3.6.1.4.1.57683.2'];
for (const dotted of identifiers) {
  test(`identifier ${dotted}`, () => {
    const [element] = derElements(objectIdentifier(dotted));
    assert.equal(readObjectIdentifier(element?.content ?? Buffer.alloc(0)), dotted);
  });
}

/** One of our certificates, fixed so that every run damages the same bytes. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBvDCCAWKgAwIBAgIQZ00vJKk0cKhGmXntI4OaRzAKBggqhkjOPQQDAjARMQ8w
DQYDVQQDDAZmdXp6ZWQwIBcNMjYwMTAxMDAwMDAwWhgPMjA1NjAxMDEwMDAwMDBa
MBgxCjAIBgNVBAoMAWIxCjAIBgNVBAMMAWEwWTATBgcqhkjOPQIBBggqhkjOPQMB
BwNCAAT0HIK2ciNJzYPc9WHiO6WMC4MbB0uFLPi61MIDaxeG76nYR9AHR4J/3k+c
ZlsKfBIg6r/1HpKNPJbJ8o5hG9eMo4GSMIGPMAwGA1UdEwEB/wQCMAAwDgYDVR0P
AQH/BAQDAgeAMBMGA1UdJQQMMAoGCCsGAQUFBwMBMB0GA1UdDgQWBBRY6Z18k4mX
al+/A8evuOiTY3JHcTAfBgNVHSMEGDAWgBR33ZaldvJ8EFSTLgB/dK76ejrJBTAa
BgNVHREEEzARgglhLmV4YW1wbGWHBAoAAAEwCgYIKoZIzj0EAwIDSAAwRQIgQkVj
fOkhdxfJ3nekecgGC6C+cgIKy04WrRgsMdBI0nACIQDXTY1J3PK50wVGw0C0Em37
uZ4LeI17xyiHxPjFG/6XgA==
-----END CERTIFICATE-----
`;
const whole = new X509Certificate(CERTIFICATE).raw;

/** Damaged certificates and noise, the same in every run, each decoded as deeply as possible. */
const ROUNDS = 20_000;
const CERTIFICATES = 2_000;
const DEPTH_MAX = 16;
test(`${ROUNDS} damaged encodings are read or refused, and nothing else happens`, () => {
  const random = lcg(20_260);
  let refusals = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const bytes = round % 4 === 0 ? noise(random) : damaged(random);
    try {
      readDeeply(bytes);
    } catch (error) {
      assert.ok(error instanceof DerError, `round ${round}: ${bytes.toString('hex')}: ${error}`);
      refusals += 1;
    }
  }
  assert.ok(refusals > ROUNDS / 10 && refusals < ROUNDS, `${refusals} of ${ROUNDS} refused`);
});

test(`${CERTIFICATES} damaged certificates: what is taken has a subject and names`, () => {
  const random = lcg(20_261);
  let taken = 0;
  for (let round = 0; round < CERTIFICATES; round += 1) {
    const base64 = damaged(random).toString('base64');
    const read = readable(`-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`);
    for (const certificate of read) {
      assert.equal(typeof subjectOf(certificate).commonName, 'string');
      namesOf(certificate);
      taken += 1;
    }
  }
  assert.ok(taken > 0 && taken < CERTIFICATES, `${taken} of ${CERTIFICATES} taken`);
});

function readable(pem: string): X509Certificate[] {
  try {
    return parseCertificates(pem);
  } catch {
    return []; // rejected by OpenSSL or by the reader
  }
}

/** A reader that does not advance would return more elements than fit: each takes at least two bytes. */
function readDeeply(bytes: Buffer, depth = 0): void {
  const reader = new DerReader(bytes);
  for (let left = bytes.length; !reader.isAtEnd; ) {
    const { isCompound, tag, content, whole } = reader.readAny();
    left -= whole.length;
    assert.ok(left >= 0 && whole.length >= content.length + 2);
    if (isCompound && depth < DEPTH_MAX) readDeeply(content, depth + 1);
    else if (tag === DER_TAG.objectIdentifier) readObjectIdentifier(content);
    else if (tag === DER_TAG.bitString) readBitString(content);
  }
}

function damaged(random: () => number): Buffer {
  const bytes = Buffer.from(
    whole.subarray(0, random() % 3 === 0 ? random() % whole.length : undefined),
  );
  for (let changes = random() % 4; changes > 0 && bytes.length > 0; changes -= 1) {
    bytes[random() % bytes.length] = random() & 255;
  }
  return bytes;
}

function noise(random: () => number): Buffer {
  return Buffer.from(Array.from({ length: random() % 64 }, () => random() & 255));
}

/** Pseudo-random numbers below 2^16. */
function lcg(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 16;
  };
}
