/** Issues X.509 certificates. Loaded only when something must be issued: the library is not small. */
import 'reflect-metadata'; // @peculiar/x509 needs it loaded first.
import { randomBytes, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Name,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** PEM of a certificate and of its PKCS #8 key. */
export interface KeyPair {
  cert: string;
  key: string;
}

export interface Subject {
  commonName: string;
  /** Kubernetes reads them as groups. */
  organizations?: readonly string[];
}

export interface Validity {
  notBefore?: Date;
  notAfter?: Date;
}

export interface CertificateRequest extends Subject, Validity {
  usage: 'server' | 'client';
  /** DNS names and addresses. */
  names?: readonly string[];
}

export interface Authority extends KeyPair {
  issue(request: CertificateRequest): Promise<KeyPair>;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export async function createAuthority(
  commonName: string,
  validity: Validity = {},
): Promise<Authority> {
  const keys = await generateKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: subjectName({ commonName }),
    ...validityOf(validity),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return {
    ...(await keyPair(certificate, keys)),
    issue: (request) => issue({ certificate, keys }, request),
  };
}

interface Signer {
  certificate: X509Certificate;
  keys: webcrypto.CryptoKeyPair;
}

async function issue(signer: Signer, request: CertificateRequest): Promise<KeyPair> {
  const keys = await generateKeys();
  const certificate = await X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: subjectName(request),
    issuer: signer.certificate.subjectName,
    ...validityOf(request),
    publicKey: keys.publicKey,
    signingKey: signer.keys.privateKey,
    signingAlgorithm: ALGORITHM,
    extensions: await leafExtensions(signer, { request, keys }),
  });
  return keyPair(certificate, keys);
}

async function leafExtensions(
  signer: Signer,
  { request, keys }: { request: CertificateRequest; keys: webcrypto.CryptoKeyPair },
): Promise<Extension[]> {
  const usage = ExtendedKeyUsage[request.usage === 'server' ? 'serverAuth' : 'clientAuth'];
  const names = (request.names ?? []).map((value) => ({
    type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const),
    value,
  }));
  return [
    new BasicConstraintsExtension(false, undefined, true),
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new ExtendedKeyUsageExtension([usage]),
    await SubjectKeyIdentifierExtension.create(keys.publicKey),
    await AuthorityKeyIdentifierExtension.create(signer.keys.publicKey),
    ...(names.length > 0 ? [new SubjectAlternativeNameExtension(names)] : []),
  ];
}

/** One relative name per value: `O=a, O=b` are two groups. */
function subjectName({ commonName, organizations = [] }: Subject): Name {
  // Objects, because the library reads quotes and backslashes in plain strings as its own syntax.
  return new Name([
    ...organizations.map((organization) => ({ O: [{ utf8String: organization }] })),
    { CN: [{ utf8String: commonName }] },
  ]);
}

/** Begins a little earlier, because clocks of two machines differ. */
function validityOf({ notBefore, notAfter }: Validity): { notBefore: Date; notAfter: Date } {
  return {
    notBefore: notBefore ?? new Date(Date.now() - 5 * MINUTE_MS),
    notAfter: notAfter ?? new Date(Date.now() + DAY_MS),
  };
}

/** Positive and without a leading zero byte: DER would otherwise need another form. */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.toString('hex');
}

function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

async function keyPair(
  certificate: X509Certificate,
  keys: webcrypto.CryptoKeyPair,
): Promise<KeyPair> {
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return {
    cert: `${certificate.toString('pem')}\n`,
    key: `${PemConverter.encode(key, PemConverter.PrivateKeyTag)}\n`,
  };
}
