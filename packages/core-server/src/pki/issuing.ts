/**
 * Issues X.509 certificates with nothing but Node: a first start makes four pairs in a few milliseconds, where loading a
 * library for it takes longer than the whole start may. Authorities are pairs of PEM text, so that the ones that were
 * kept in files go on signing.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { addressBytes } from './addresses.ts';
import { issuerFacts } from './certificate-fields.ts';
import {
  bitString,
  boolean,
  derElements,
  explicit,
  implicit,
  integer,
  nothing,
  objectIdentifier,
  octetString,
  sequence,
  setOf,
  time,
  utf8String,
} from './der.ts';

/** PEM of a certificate and of its PKCS #8 key. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

export type Usage = 'server' | 'client';

export interface LeafRequest {
  readonly commonName: string;
  /** Kubernetes reads them as groups. */
  readonly organizations?: readonly string[];
  readonly usage: Usage;
  /** DNS names and addresses. */
  readonly names?: readonly string[];
}

export interface IssueOptions {
  readonly nowMs: number;
  readonly lifetimeMs: number;
}

const OID = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  rsaWithSha256: '1.2.840.113549.1.1.11',
} as const;

export const USAGE_OID: Readonly<Record<Usage, string>> = {
  server: '1.3.6.1.5.5.7.3.1',
  client: '1.3.6.1.5.5.7.3.2',
};

/** Clocks of two machines differ a little. */
const BACKDATE_MS = 5 * 60_000;

export function createKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return pemOf(privateKey);
}

/** The certificate of an authority for a key, which may have had one before: what the key signed stays good. */
export function selfSign(key: string, commonName: string, options: IssueOptions): string {
  const signingKey = createPrivateKey(key);
  const subject = nameOf({ commonName });
  const publicKey = createPublicKey(signingKey);
  return certificate({
    issuer: subject,
    subject,
    publicKey,
    signingKey,
    ...validity(options),
    extensions: [
      extension(OID.basicConstraints, sequence(boolean(true)), 'critical'),
      // keyCertSign and cRLSign: bits 5 and 6.
      extension(OID.keyUsage, bitString(Buffer.from([0x06]), 1), 'critical'),
      extension(OID.subjectKeyIdentifier, octetString(keyIdentifier(publicKey))),
    ],
  });
}

/** A new key and its certificate. It ends with its authority: what it signed cannot be verified after that. */
export function issueLeaf(
  authority: KeyPair,
  request: LeafRequest,
  options: IssueOptions,
): KeyPair {
  const key = createKey();
  const publicKey = createPublicKey(key);
  const { subject, keyIdentifier: authorityKey } = issuerFacts(authority.cert);
  const { notBefore, notAfter } = validity(options);
  const lastMs = new X509Certificate(authority.cert).validToDate.getTime();
  const cert = certificate({
    issuer: subject,
    subject: nameOf(request),
    publicKey,
    signingKey: createPrivateKey(authority.key),
    notBefore,
    notAfter: new Date(Math.min(notAfter.getTime(), lastMs)),
    extensions: leafExtensions(request, { publicKey, authorityKey }),
  });
  return { cert, key };
}

function leafExtensions(
  { usage, names = [] }: LeafRequest,
  keys: { publicKey: KeyObject; authorityKey: Buffer | undefined },
): Buffer[] {
  const { publicKey, authorityKey } = keys;
  return [
    extension(OID.basicConstraints, sequence(), 'critical'),
    // digitalSignature: bit 0.
    extension(OID.keyUsage, bitString(Buffer.from([0x80]), 7), 'critical'),
    extension(OID.extendedKeyUsage, sequence(objectIdentifier(USAGE_OID[usage]))),
    extension(OID.subjectKeyIdentifier, octetString(keyIdentifier(publicKey))),
    // An authority without an identifier of its own must not be asked for one.
    ...(authorityKey === undefined
      ? []
      : [extension(OID.authorityKeyIdentifier, sequence(implicit(0, authorityKey)))]),
    ...(names.length === 0
      ? []
      : [extension(OID.subjectAltName, sequence(...names.map(generalName)))]),
  ];
}

interface CertificateFields {
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly publicKey: KeyObject;
  readonly signingKey: KeyObject;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly extensions: readonly Buffer[];
}

/** RFC 5280, 4.1. */
function certificate(fields: CertificateFields): string {
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
      return sequence(objectIdentifier(OID.ecdsaWithSha256));
    case 'rsa':
      return sequence(objectIdentifier(OID.rsaWithSha256), nothing());
    default:
      throw new Error(`a key of type ${key.asymmetricKeyType} cannot sign here: use EC or RSA`);
  }
}

/** One relative name per value: `O=a, O=b` are two groups. */
function nameOf({ commonName, organizations = [] }: Omit<LeafRequest, 'usage'>): Buffer {
  const attribute = (oid: string, text: string): Buffer =>
    setOf(sequence(objectIdentifier(oid), utf8String(text)));
  return sequence(
    ...organizations.map((organization) => attribute(OID.organization, organization)),
    attribute(OID.commonName, commonName),
  );
}

function generalName(name: string): Buffer {
  const address = addressBytes(name);
  return address === undefined ? implicit(2, Buffer.from(name, 'ascii')) : implicit(7, address);
}

function extension(oid: string, value: Buffer, critical?: 'critical'): Buffer {
  const flag = critical === undefined ? [] : [boolean(true)];
  return sequence(objectIdentifier(oid), ...flag, octetString(value));
}

/** RFC 5280, 4.2.1.2, method 1: the SHA-1 of the key's bits. It is a name, and protects nothing. */
function keyIdentifier(publicKey: KeyObject): Buffer {
  const [info] = derElements(publicKey.export({ format: 'der', type: 'spki' }));
  const bits = derElements(info?.content ?? Buffer.alloc(0))[1];
  const unusedBitsByte = 1;
  return createHash('sha1')
    .update(bits?.content.subarray(unusedBitsByte) ?? '')
    .digest();
}

function validity({ nowMs, lifetimeMs }: IssueOptions): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(nowMs - BACKDATE_MS), notAfter: new Date(nowMs + lifetimeMs) };
}

/** 127 random bits; the first is set so that every number has the same length. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes;
}

function pemOf(key: KeyObject): string {
  return key.export({ format: 'pem', type: 'pkcs8' }).toString();
}
