import { X509Certificate } from 'node:crypto';
// toLegacyObject() loads only a part of it, after which https.createServer() fails (Node 24).
import 'node:tls';
import { derElements } from '../pki/der-reader.ts';

/** The subject of a certificate. The same object is returned for the same certificate of a connection. */
export interface Leaf {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** Values of the uid attribute; the caller decides how several of them are treated. */
  readonly uids: readonly string[];
  /** SHA-256 of the certificate, in lower-case hexadecimal digits. */
  readonly fingerprint: string;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

type Verification =
  | { readonly outcome: 'verified'; readonly leaf: Leaf }
  | { readonly outcome: 'rejected'; readonly reason: string };

/**
 * CA certificates. Node verifies a connection against one pool, and the CAs of clients and of front proxies must never
 * be mixed, so leaves are verified here: each must be signed by a certificate of this pool, or be one of them. A CA is
 * checked as in Go.
 */
export interface CertificatePool {
  verify(certificate: Uint8Array, nowMs: number): Verification;
}

const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
const ANY_USAGE = '2.5.29.37.0';
/** An attribute that Kubernetes defines; it has no short name, so Node shows its number. */
const UID = '1.3.6.1.4.1.57683.2';

/** Throws for a bundle without certificates or with an invalid one. */
export function certificatePool(bundle: string): CertificatePool {
  const authorities = parseBundle(bundle);
  if (authorities.length === 0) throw new Error('the bundle contains no certificate');
  // A connection passes the same bytes with each of its requests, and the entry is collected with them.
  const checked = new WeakMap<Uint8Array, CheckedLeaf>();
  return {
    verify(certificate, nowMs) {
      let result = checked.get(certificate);
      if (result === undefined) {
        result = checkLeaf(certificate, authorities);
        checked.set(certificate, result);
      }
      return result.outcome === 'verified' ? checkValidity(result, nowMs) : result;
    },
  };
}

type CheckedLeaf =
  | (Extract<Verification, { outcome: 'verified' }> & {
      /** Validity periods of the CAs that signed the leaf; one of them must include now. */
      readonly issuers: readonly Validity[];
    })
  | Extract<Verification, { outcome: 'rejected' }>;

type Validity = Pick<Leaf, 'notBeforeMs' | 'notAfterMs'>;

export function parseBundle(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => new X509Certificate(block));
}

/** The part of verification that does not depend on time. */
function checkLeaf(certificate: Uint8Array, authorities: readonly X509Certificate[]): CheckedLeaf {
  const leaf = new X509Certificate(certificate);
  const issuers = authorities.filter((ca) => ca.raw.equals(leaf.raw) || isSignedBy(leaf, ca));
  if (issuers.length === 0) return rejected('x509: certificate signed by unknown authority');
  const usable = issuers.filter(isForClients);
  if (usable.length === 0 || !isForClients(leaf)) {
    return rejected('x509: certificate specifies an incompatible key usage');
  }
  return { outcome: 'verified', leaf: subjectOf(leaf), issuers: usable.map(validityOf) };
}

/** The issuer check includes whether the CA's key may sign certificates. */
function isSignedBy(leaf: X509Certificate, ca: X509Certificate): boolean {
  return (ca.ca || isVersion1(ca)) && leaf.checkIssued(ca) && leaf.verify(ca.publicKey);
}

/** Version 1 certificates cannot state that they are CAs. */
function isVersion1({ raw }: X509Certificate): boolean {
  const [certificateSequence] = derElements(raw);
  const [signed] =
    certificateSequence === undefined ? [] : derElements(certificateSequence.content);
  const [version] = signed === undefined ? [] : derElements(signed.content);
  return version?.class === 0;
}

function isForClients({ keyUsage }: X509Certificate): boolean {
  return keyUsage === undefined || keyUsage.includes(CLIENT_AUTH) || keyUsage.includes(ANY_USAGE);
}

function checkValidity(
  { outcome, leaf, issuers }: Extract<CheckedLeaf, { outcome: 'verified' }>,
  nowMs: number,
): Verification {
  const isValid = ({ notBeforeMs, notAfterMs }: Validity) =>
    nowMs >= notBeforeMs && nowMs <= notAfterMs;
  if (isValid(leaf) && issuers.some(isValid)) return { outcome, leaf };
  return rejected('x509: certificate has expired or is not yet valid');
}

function rejected(reason: string): Extract<Verification, { outcome: 'rejected' }> {
  return { outcome: 'rejected', reason };
}

/** Node writes one attribute per line and escapes line breaks, so a value cannot imitate another attribute. */
function subjectOf(leaf: X509Certificate): Leaf {
  const subject = leaf.toLegacyObject().subject as unknown as Record<string, string | string[]>;
  return {
    commonName: listOf(subject.CN).at(-1) ?? '', // of several, Go takes the last
    organizations: listOf(subject.O),
    uids: listOf(subject[UID]),
    fingerprint: leaf.fingerprint256.replaceAll(':', '').toLowerCase(),
    ...validityOf(leaf),
  };
}

function validityOf({ validFrom, validTo }: X509Certificate): Validity {
  return { notBeforeMs: Date.parse(validFrom), notAfterMs: Date.parse(validTo) };
}

function listOf(value: string | string[] | undefined): string[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
