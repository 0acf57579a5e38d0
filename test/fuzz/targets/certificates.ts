/** Certificates and certificate requests from clients. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { namesOf, subjectOf } from '@tributary/server/pki';
import { parseRequest } from '../../../packages/core-server/src/kinds/certificates/certificate-signing-request/parse-request.ts';
import { DerError, DerReader, derElements } from '../../../packages/server/src/pki/der-reader.ts';
import { errorsOf, type FuzzTarget } from '../target.ts';

// biome-ignore format: a list of pieces reads better in few lines
const TOKENS = [
  '30', '3000', '3080', '30820000', '3084ffffffff', '31', '02', '0201', '020100', '0603', '0603550403', '060355040a', '0c01', '1300', '0300', '030108',
  '05', '0500', 'a0', 'a000', 'a003', '1f81', 'ff', '00', '7f', '80', '81', '82', '0c0141', '1e024141', '170d', '2a864886f70d01090e',
];

const BYTES_MAX = 3000;
const DEPTH_MAX = 64;

/** Everything in everything; each step goes forward. */
function walk(content: Buffer, depth: number): number {
  let count = 0;
  const reader = new DerReader(content);
  while (!reader.isAtEnd) {
    const element = reader.readAny();
    assert.ok(element.whole.length > 0 && element.whole.length <= content.length);
    count += 1;
    if (element.isCompound && depth < DEPTH_MAX) count += walk(element.content, depth + 1);
  }
  return count;
}

const der: FuzzTarget = {
  name: 'the DER reader',
  corpus: 'certificates',
  encoding: 'hex',
  tokens: TOKENS,
  bytesMax: BYTES_MAX,
  run: (input) => `${Math.min(20, walk(input, 0))} ${derElements(input).length}`,
  refuses: errorsOf(DerError),
};

class NotReadByNode extends Error {}

/** A certificate that OpenSSL reads is read or refused; OpenSSL accepts encodings that DER forbids. */
const certificate: FuzzTarget = {
  name: 'the fields of certificates',
  corpus: 'certificates',
  encoding: 'hex',
  tokens: TOKENS,
  bytesMax: BYTES_MAX,
  run(input) {
    const read = certificateOf(input);
    const { commonName, organizations } = subjectOf(read);
    return `${commonName === ''} ${organizations.length} ${namesOf(read).length}`;
  },
  refuses: errorsOf(DerError, NotReadByNode),
};

function certificateOf(input: Buffer): X509Certificate {
  try {
    return new X509Certificate(input);
  } catch (cause) {
    throw new NotReadByNode('no certificate', { cause });
  }
}

const request: FuzzTarget = {
  name: 'certificate signing requests',
  corpus: 'certificate-requests',
  encoding: 'hex',
  tokens: TOKENS,
  bytesMax: BYTES_MAX,
  run(input) {
    const block = input.toString('base64').replace(/.{64}/g, '$&\n');
    const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${block}\n-----END CERTIFICATE REQUEST-----\n`;
    const { organizations } = parseRequest(Buffer.from(pem).toString('base64'));
    return String(organizations.length);
  },
  refuses: errorsOf(DerError, Error),
};

export const certificateTargets = [der, certificate, request];
