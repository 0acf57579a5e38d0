import { X509Certificate } from 'node:crypto';
import type { Authentication, Authenticator } from '../filters/authentication.ts';
import type { UserInfo } from '../pipeline.ts';

const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';

/**
 * Users by client certificate. Node verifies a connection against one pool of CAs, and ours are
 * never mixed, so the leaf is verified here: it must be signed by a certificate of this bundle.
 */
export function clientCertificateAuthenticator(
  caBundle: string,
  nowMs: () => number,
): Authenticator {
  const authorities = parseBundle(caBundle);
  // A connection hands over the same bytes with each of its requests, and dies with them.
  const verified = new WeakMap<Uint8Array, { user: UserInfo; notAfterMs: number }>();

  return ({ peer: { certificate } }) => {
    if (certificate === undefined) return { outcome: 'no-opinion' };
    const known = verified.get(certificate);
    if (known !== undefined && nowMs() <= known.notAfterMs) {
      return { outcome: 'authenticated', user: known.user };
    }
    const leaf = new X509Certificate(certificate);
    const result = verifyLeaf(leaf, authorities, nowMs());
    if (result.outcome === 'authenticated') {
      verified.set(certificate, { user: result.user, notAfterMs: Date.parse(leaf.validTo) });
    }
    return result;
  };
}

function verifyLeaf(
  leaf: X509Certificate,
  authorities: readonly X509Certificate[],
  nowMs: number,
): Authentication {
  const rejected = (why: string): Authentication => ({ outcome: 'rejected', why });
  if (!authorities.some((ca) => leaf.checkIssued(ca) && leaf.verify(ca.publicKey))) {
    return rejected('the client certificate is signed by an unknown authority');
  }
  if (nowMs < Date.parse(leaf.validFrom))
    return rejected('the client certificate is not yet valid');
  if (nowMs > Date.parse(leaf.validTo)) return rejected('the client certificate has expired');
  if (leaf.keyUsage !== undefined && !leaf.keyUsage.includes(CLIENT_AUTH)) {
    return rejected('the certificate is not meant for clients');
  }
  const subject = subjectOf(leaf);
  if (subject.commonName === '') return { outcome: 'no-opinion' };
  return {
    outcome: 'authenticated',
    user: { name: subject.commonName, uid: '', groups: subject.organizations, extra: {} },
  };
}

export function parseBundle(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => new X509Certificate(block));
}

/** Node writes one attribute per line and escapes line breaks, so a value cannot pose as another line. */
function subjectOf(leaf: X509Certificate): { commonName: string; organizations: string[] } {
  const subject = leaf.toLegacyObject().subject as unknown as Record<string, string | string[]>;
  const [commonName = ''] = listOf(subject.CN);
  return { commonName, organizations: listOf(subject.O) };
}

function listOf(value: string | string[] | undefined): string[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
