import { X509Certificate } from 'node:crypto';

/** What a certificate says of its owner. The same object for the same certificate of a connection. */
export interface Leaf {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** Of the attribute that carries the user's uid; whoever asks decides what several of them mean. */
  readonly uids: readonly string[];
  /** SHA-256 of the certificate, in lower-case hexadecimal digits. */
  readonly fingerprint: string;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

export type Verification =
  | { readonly outcome: 'verified'; readonly leaf: Leaf }
  | { readonly outcome: 'rejected'; readonly why: string };

/**
 * Certificates of authorities. Node verifies a connection against one pool of them, and ours, the clients' and the
 * front proxy's, are never mixed, so leaves are verified here: each must be signed by a certificate of this pool.
 */
export interface CertificatePool {
  verify(certificate: Uint8Array, nowMs: number): Verification;
}

const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
/** An attribute that Kubernetes has defined; it has no short name, so Node shows it by its number. */
const UID = '1.3.6.1.4.1.57683.2';

/** Throws when the bundle holds no certificate, or one that cannot be read. */
export function certificatePool(bundle: string): CertificatePool {
  const authorities = parseBundle(bundle);
  if (authorities.length === 0) throw new Error('the bundle holds no certificate');
  // A connection hands over the same bytes with each of its requests, and dies with them.
  const judged = new WeakMap<Uint8Array, Verification>();
  return {
    verify(certificate, nowMs) {
      let verification = judged.get(certificate);
      if (verification === undefined) {
        verification = judge(certificate, authorities);
        judged.set(certificate, verification);
      }
      return verification.outcome === 'verified' ? inItsTime(verification, nowMs) : verification;
    },
  };
}

export function parseBundle(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => new X509Certificate(block));
}

/** Everything that time does not change. */
function judge(certificate: Uint8Array, authorities: readonly X509Certificate[]): Verification {
  const leaf = new X509Certificate(certificate);
  const signer = authorities.find((ca) => leaf.checkIssued(ca) && leaf.verify(ca.publicKey));
  if (signer === undefined) return rejected('x509: certificate signed by unknown authority');
  if (leaf.keyUsage !== undefined && !leaf.keyUsage.includes(CLIENT_AUTH)) {
    return rejected('x509: certificate specifies an incompatible key usage');
  }
  return { outcome: 'verified', leaf: factsOf(leaf) };
}

function inItsTime(verification: Verification & { outcome: 'verified' }, nowMs: number) {
  const { notBeforeMs, notAfterMs } = verification.leaf;
  if (nowMs >= notBeforeMs && nowMs <= notAfterMs) return verification;
  return rejected('x509: certificate has expired or is not yet valid');
}

function rejected(why: string): Verification {
  return { outcome: 'rejected', why };
}

/** Node writes one attribute per line and escapes line breaks, so a value cannot pose as another line. */
function factsOf(leaf: X509Certificate): Leaf {
  const subject = leaf.toLegacyObject().subject as unknown as Record<string, string | string[]>;
  const [commonName = ''] = listOf(subject.CN);
  return {
    commonName,
    organizations: listOf(subject.O),
    uids: listOf(subject[UID]),
    fingerprint: leaf.fingerprint256.replaceAll(':', '').toLowerCase(),
    notBeforeMs: Date.parse(leaf.validFrom),
    notAfterMs: Date.parse(leaf.validTo),
  };
}

function listOf(value: string | string[] | undefined): string[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
