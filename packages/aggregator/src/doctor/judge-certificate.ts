import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { RemoteRegistration } from '../registrations/registration.ts';
import { type Broken, type Judgement, skipped, well } from './finding.ts';
import { caBundleFix, certificateFixes, type Place } from './fixes.ts';

const NOT_VERIFIED = 'insecureSkipTLSVerify: whoever answers is believed';
const NAMES_SHOWN_MAX = 5;

/** Common names do not count, as in Go. */
export function judgeName(
  registration: RemoteRegistration,
  { leaf, serverName }: { leaf: X509Certificate; serverName: string },
  place: Place,
): Judgement {
  if (registration.remote.insecureSkipTlsVerify) return skipped(NOT_VERIFIED);
  const matches =
    isIP(serverName) === 0
      ? leaf.checkHost(serverName, { subject: 'never' })
      : leaf.checkIP(serverName);
  if (matches !== undefined) return well(`the certificate is for ${serverName}`);
  const names = (leaf.subjectAltName ?? '').split(', ').slice(0, NAMES_SHOWN_MAX).join(', ');
  const common = /^CN=(.*)$/m.exec(leaf.subject)?.[1] ?? '';
  return {
    outcome: 'broken',
    words:
      leaf.subjectAltName === undefined
        ? `the certificate has no subject alternative names, and its common name "${common}" does not count`
        : `the certificate is for ${names}, not for ${serverName}`,
    matters: `the aggregator believes only a certificate for ${serverName}, whatever address it dials`,
    fixes: certificateFixes(registration, place, 'init'),
  };
}

export interface CertificateFacts {
  readonly chain: readonly X509Certificate[];
  readonly verifyCode: string | undefined;
  /** Of the caBundle; undefined: of the system. */
  readonly authorities: readonly string[] | undefined;
  /** Made by `tributary pki` for this server. */
  readonly madeAuthority: string | undefined;
  readonly nowMs: number;
}

/** Whether the registration believes who signed it. */
export function judgeAuthority(
  registration: RemoteRegistration,
  facts: CertificateFacts,
  place: Place,
): Judgement {
  if (registration.remote.insecureSkipTlsVerify) return skipped(NOT_VERIFIED);
  const { chain, verifyCode, authorities, madeAuthority, nowMs } = facts;
  const [leaf] = chain;
  if (verifyCode === undefined) {
    return well(
      `signed by ${nameOf(leaf?.issuer)}, good until ${leaf?.validToDate.toISOString() ?? ''}`,
    );
  }
  const roots = (authorities ?? []).map((pem) => new X509Certificate(pem));
  const expired = [...chain, ...roots].find((one) => one.validToDate.getTime() < nowMs);
  const early = [...chain, ...roots].find((one) => one.validFromDate.getTime() > nowMs);
  if (verifyCode === 'CERT_HAS_EXPIRED' && expired !== undefined) {
    return untimely(registration, place, {
      words: `the certificate of ${nameOf(expired.subject)} has expired on ${expired.validToDate.toISOString()}`,
      hasPki: madeAuthority !== undefined,
    });
  }
  if (verifyCode === 'CERT_NOT_YET_VALID' && early !== undefined) {
    return untimely(registration, place, {
      words: `the certificate of ${nameOf(early.subject)} is good only from ${early.validFromDate.toISOString()}, and here it is ${new Date(nowMs).toISOString()}: one of the two clocks is wrong`,
      hasPki: madeAuthority !== undefined,
    });
  }
  const isMade = leaf !== undefined && madeAuthority !== undefined && signs(madeAuthority, leaf);
  const broken = {
    outcome: 'broken',
    words: unbelieved(facts, roots),
    matters: 'the aggregator believes nobody whose certificate is not signed by the caBundle',
  } as const;
  const repairs = [caBundleFix(registration.name, isMade ? madeAuthority : undefined)];
  if (isMade) return { ...broken, fixes: repairs };
  return { ...broken, fixes: repairs, otherwise: certificateFixes(registration, place, 'init') };
}

function untimely(
  registration: RemoteRegistration,
  place: Place,
  { words, hasPki }: { words: string; hasPki: boolean },
): Broken {
  return {
    outcome: 'broken',
    words,
    matters: 'the aggregator believes no certificate outside of its time',
    fixes: certificateFixes(registration, place, hasPki ? 'renew' : 'init'),
  };
}

function unbelieved(
  { chain, verifyCode, authorities }: CertificateFacts,
  roots: readonly X509Certificate[],
): string {
  const [leaf] = chain;
  const issuer = nameOf(leaf?.issuer);
  const believed =
    authorities === undefined
      ? 'there is no caBundle, and the system does not believe it'
      : `the caBundle holds ${roots.map(({ subject }) => nameOf(subject)).join(', ')}`;
  switch (verifyCode) {
    case 'INVALID_PURPOSE':
      return `the certificate is not for servers (${leaf?.keyUsage?.join(', ') ?? ''})`;
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return `the certificate is signed by itself; ${believed}`;
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_GET_ISSUER_CERT':
      return `the certificate is signed by ${issuer}; ${believed}, and the server sends no intermediate certificate that leads there`;
    default:
      return `the certificate is signed by ${issuer}, which is not believed (${verifyCode}); ${believed}`;
  }
}

export function signs(authority: string, leaf: X509Certificate): boolean {
  try {
    const issuer = new X509Certificate(authority);
    return leaf.checkIssued(issuer) && leaf.verify(issuer.publicKey);
  } catch {
    return false; // What cannot be read signs nothing.
  }
}

/** The common name, or all of a name that has none. */
export function nameOf(distinguished: string | undefined): string {
  const text = distinguished ?? '';
  return `"${/^CN=(.*)$/m.exec(text)?.[1] ?? text.replaceAll('\n', ', ')}"`;
}
