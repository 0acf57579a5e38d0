import { X509Certificate } from 'node:crypto';
// toLegacyObject() loads a part of it, after which https.createServer() fails (Node 24).
import 'node:tls';
import { derElements } from '../pki/der-reader.ts';

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
  | { readonly outcome: 'rejected'; readonly reason: string };

/**
 * Certificates of authorities. Node verifies a connection against one pool of them, and ours, the clients' and the
 * front proxy's, are never mixed, so leaves are verified here: each must be signed by a certificate of this pool, or be
 * one of them. What an authority must be is as in Go.
 */
export interface CertificatePool {
  verify(certificate: Uint8Array, nowMs: number): Verification;
}

const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
const ANY_USAGE = '2.5.29.37.0';
/** An attribute that Kubernetes has defined; it has no short name, so Node shows it by its number. */
const UID = '1.3.6.1.4.1.57683.2';

/** Throws when the bundle contains no certificate, or one that cannot be read. */
export function certificatePool(bundle: string): CertificatePool {
  const authorities = parseBundle(bundle);
  if (authorities.length === 0) throw new Error('the bundle contains no certificate');
  // A connection hands over the same bytes with each of its requests, and dies with them.
  const judged = new WeakMap<Uint8Array, Judgement>();
  return {
    verify(certificate, nowMs) {
      let judgement = judged.get(certificate);
      if (judgement === undefined) {
        judgement = judge(certificate, authorities);
        judged.set(certificate, judgement);
      }
      return judgement.outcome === 'verified' ? inTheirTime(judgement, nowMs) : judgement;
    },
  };
}

type Judgement =
  | (Extract<Verification, { outcome: 'verified' }> & {
      /** Of those who vouch for it: one of them must be in its time. */
      readonly vouching: readonly Validity[];
    })
  | Extract<Verification, { outcome: 'rejected' }>;

type Validity = Pick<Leaf, 'notBeforeMs' | 'notAfterMs'>;

export function parseBundle(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => new X509Certificate(block));
}

/** Everything that time does not change. */
function judge(certificate: Uint8Array, authorities: readonly X509Certificate[]): Judgement {
  const leaf = new X509Certificate(certificate);
  const vouching = authorities.filter((ca) => ca.raw.equals(leaf.raw) || isSignedBy(leaf, ca));
  if (vouching.length === 0) return rejected('x509: certificate signed by unknown authority');
  const usable = vouching.filter(isForClients);
  if (usable.length === 0 || !isForClients(leaf)) {
    return rejected('x509: certificate specifies an incompatible key usage');
  }
  return { outcome: 'verified', leaf: factsOf(leaf), vouching: usable.map(validityOf) };
}

/** The check of the issuer says whether its key may sign certificates. */
function isSignedBy(leaf: X509Certificate, ca: X509Certificate): boolean {
  return (ca.ca || isVersion1(ca)) && leaf.checkIssued(ca) && leaf.verify(ca.publicKey);
}

/** Too old to be able to say that it is one of an authority. */
function isVersion1({ raw }: X509Certificate): boolean {
  const [whole] = derElements(raw);
  const [signed] = whole === undefined ? [] : derElements(whole.content);
  const [version] = signed === undefined ? [] : derElements(signed.content);
  return version?.class === 0;
}

function isForClients({ keyUsage }: X509Certificate): boolean {
  return keyUsage === undefined || keyUsage.includes(CLIENT_AUTH) || keyUsage.includes(ANY_USAGE);
}

function inTheirTime(
  { outcome, leaf, vouching }: Extract<Judgement, { outcome: 'verified' }>,
  nowMs: number,
): Verification {
  const isInTime = ({ notBeforeMs, notAfterMs }: Validity) =>
    nowMs >= notBeforeMs && nowMs <= notAfterMs;
  if (isInTime(leaf) && vouching.some(isInTime)) return { outcome, leaf };
  return rejected('x509: certificate has expired or is not yet valid');
}

function rejected(reason: string): Extract<Verification, { outcome: 'rejected' }> {
  return { outcome: 'rejected', reason };
}

/** Node writes one attribute per line and escapes line breaks, so a value cannot pose as another line. */
function factsOf(leaf: X509Certificate): Leaf {
  const subject = leaf.toLegacyObject().subject as unknown as Record<string, string | string[]>;
  return {
    commonName: listOf(subject.CN).at(-1) ?? '', // of several Go takes the last
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
