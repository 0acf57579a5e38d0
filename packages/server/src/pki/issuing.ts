/**
 * Issues certificates with Node alone: four pairs take a few milliseconds, and loading a library takes longer than a
 * whole start. CAs are pairs of PEM text, so that those in files can sign again.
 */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  X509Certificate,
} from 'node:crypto';
import { addressBytes } from './addresses.ts';
import {
  distinguishedName,
  extension,
  keyIdentifier,
  signCertificate,
  type Validity,
} from './certificate.ts';
import { issuerFacts } from './certificate-fields.ts';
import {
  bitString,
  boolean,
  implicit,
  objectIdentifier,
  octetString,
  sequence,
} from './der-writer.ts';

/** PEM of a certificate and of its PKCS #8 key. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

export interface Subject {
  readonly commonName: string;
  /** Kubernetes reads them as groups. */
  readonly organizations?: readonly string[];
}

export type Usage = 'server' | 'client';

export interface LeafRequest extends Subject {
  readonly usage: Usage;
  /** DNS names and addresses. */
  readonly names?: readonly string[];
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
} as const;

export const USAGE_OID: Readonly<Record<Usage, string>> = {
  server: '1.3.6.1.5.5.7.3.1',
  client: '1.3.6.1.5.5.7.3.2',
};

/** Tolerates clock skew between machines. */
const BACKDATE_MS = 5 * 60_000;

export function validFor({ nowMs, lifetimeMs }: { nowMs: number; lifetimeMs: number }): Validity {
  return { notBefore: new Date(nowMs - BACKDATE_MS), notAfter: new Date(nowMs + lifetimeMs) };
}

export function createKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
}

/** A self-signed CA certificate. A key that had one before still verifies the certificates that it signed. */
export function selfSign(key: string, commonName: string, validity: Validity): string {
  const signingKey = createPrivateKey(key);
  const publicKey = createPublicKey(signingKey);
  const subject = subjectName({ commonName });
  return signCertificate({
    ...validity,
    issuer: subject,
    subject,
    publicKey,
    signingKey,
    extensions: [
      extension(OID.basicConstraints, sequence(boolean(true)), 'critical'),
      // keyCertSign and cRLSign: bits 5 and 6.
      extension(OID.keyUsage, bitString(Buffer.from([0x06]), 1), 'critical'),
      extension(OID.subjectKeyIdentifier, octetString(keyIdentifier(publicKey))),
    ],
  });
}

/** A new key and its certificate. It expires no later than its CA, without which it cannot be verified. */
export function issueLeaf(authority: KeyPair, request: LeafRequest, validity: Validity): KeyPair {
  const key = createKey();
  const publicKey = createPublicKey(key);
  const { subject, keyIdentifier: authorityKey } = issuerFacts(authority.cert);
  const lastMs = new X509Certificate(authority.cert).validToDate.getTime();
  const cert = signCertificate({
    issuer: subject,
    subject: subjectName(request),
    publicKey,
    signingKey: createPrivateKey(authority.key),
    notBefore: validity.notBefore,
    notAfter: new Date(Math.min(validity.notAfter.getTime(), lastMs)),
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
    // A CA without a subject key identifier cannot be referred to by one.
    ...(authorityKey === undefined
      ? []
      : [extension(OID.authorityKeyIdentifier, sequence(implicit(0, authorityKey)))]),
    ...(names.length === 0
      ? []
      : [extension(OID.subjectAltName, sequence(...names.map(generalName)))]),
  ];
}

function subjectName({ commonName, organizations = [] }: Subject): Buffer {
  return distinguishedName([
    ...organizations.map((organization) => [OID.organization, organization] as const),
    [OID.commonName, commonName],
  ]);
}

function generalName(name: string): Buffer {
  const address = addressBytes(name);
  return address === undefined ? implicit(2, Buffer.from(name, 'ascii')) : implicit(7, address);
}
