/** Encodes and signs an X.509 certificate (RFC 5280, 4.1). */
import { createHash, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto';
import { derElements } from './der-reader.ts';
import {
  bitString,
  boolean,
  explicit,
  integer,
  nothing,
  objectIdentifier,
  octetString,
  sequence,
  setOf,
  time,
  utf8String,
} from './der-writer.ts';

export interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

interface CertificateFields extends Validity {
  /** Encoded, as `distinguishedName` makes it or another certificate has it. */
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly publicKey: KeyObject;
  readonly signingKey: KeyObject;
  readonly extensions: readonly Buffer[];
}

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
const RSA_WITH_SHA256 = '1.2.840.113549.1.1.11';

/** In PEM. */
export function signCertificate(fields: CertificateFields): string {
  const algorithm = signatureAlgorithm(fields.signingKey);
  const toBeSigned = sequence(
    explicit(0, integer(Buffer.from([2]))), // version 3
    integer(serialNumber()),
    algorithm,
    fields.issuer,
    sequence(time(fields.notBefore), time(fields.notAfter)),
    fields.subject,
    fields.publicKey.export({ format: 'der', type: 'spki' }),
    explicit(3, sequence(...fields.extensions)),
  );
  const signature = sign('sha256', toBeSigned, fields.signingKey);
  const der = sequence(toBeSigned, algorithm, bitString(signature));
  return new X509Certificate(der).toString();
}

function signatureAlgorithm(key: KeyObject): Buffer {
  switch (key.asymmetricKeyType) {
    case 'ec':
      return sequence(objectIdentifier(ECDSA_WITH_SHA256));
    case 'rsa':
      return sequence(objectIdentifier(RSA_WITH_SHA256), nothing());
    default:
      throw new Error(`a key of type ${key.asymmetricKeyType} cannot sign here: use EC or RSA`);
  }
}

/** One relative name per value, of types in dotted form: `O=a, O=b` are two groups. */
export function distinguishedName(attributes: readonly (readonly [string, string])[]): Buffer {
  return sequence(
    ...attributes.map(([type, value]) =>
      setOf(sequence(objectIdentifier(type), utf8String(value))),
    ),
  );
}

export function extension(oid: string, value: Buffer, critical?: 'critical'): Buffer {
  const flag = critical === undefined ? [] : [boolean(true)];
  return sequence(objectIdentifier(oid), ...flag, octetString(value));
}

/** RFC 5280, 4.2.1.2, method 1: the SHA-1 of the key's bits. It is a name, and protects nothing. */
export function keyIdentifier(publicKey: KeyObject): Buffer {
  const [info] = derElements(publicKey.export({ format: 'der', type: 'spki' }));
  const bits = derElements(info?.content ?? Buffer.alloc(0))[1];
  const unusedBitsByte = 1;
  return createHash('sha1')
    .update(bits?.content.subarray(unusedBitsByte) ?? '')
    .digest();
}

/** 126 random bits; the first byte is neither zero nor negative, so that every number has the same length. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes;
}
