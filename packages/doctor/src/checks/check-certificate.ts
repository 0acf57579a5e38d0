import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { RemoteRegistration } from '@tributary/aggregator/api-services';
import { type CheckResult, type Failed, passed, skipped } from '../report/diagnosis.ts';
import { type CommandContext, caBundleFix, certificateFixes } from '../report/fixes.ts';

const NOT_VERIFIED = 'insecureSkipTLSVerify: certificates are not verified';
const NAMES_SHOWN_MAX = 5;

/** Ignores common names, as Go does. */
export function checkServerName(
  registration: RemoteRegistration,
  { leaf, serverName }: { leaf: X509Certificate; serverName: string },
  context: CommandContext,
): CheckResult {
  if (registration.remote.insecureSkipTlsVerify) return skipped(NOT_VERIFIED);
  const matches =
    isIP(serverName) === 0
      ? leaf.checkHost(serverName, { subject: 'never' })
      : leaf.checkIP(serverName);
  if (matches !== undefined) return passed(`the certificate is for ${serverName}`);
  const names = (leaf.subjectAltName ?? '').split(', ').slice(0, NAMES_SHOWN_MAX).join(', ');
  const common = /^CN=(.*)$/m.exec(leaf.subject)?.[1] ?? '';
  return {
    status: 'failed',
    message:
      leaf.subjectAltName === undefined
        ? `the certificate has no subject alternative names, and its common name "${common}" is ignored`
        : `the certificate is for ${names}, not for ${serverName}`,
    impact: `the aggregator accepts only a certificate for ${serverName}, whatever address it connects to`,
    fixes: certificateFixes(registration, context, 'init'),
  };
}

export interface CertificateFacts {
  readonly chain: readonly X509Certificate[];
  readonly verifyCode: string | undefined;
  /** Of the caBundle; undefined: those of the system. */
  readonly caCertificates: readonly string[] | undefined;
  /** The CA that `tributary pki` created for this server. */
  readonly localCa: string | undefined;
  readonly nowMs: number;
}

/** Whether the serving certificate is signed by the caBundle and valid now. */
export function checkCa(
  registration: RemoteRegistration,
  facts: CertificateFacts,
  context: CommandContext,
): CheckResult {
  if (registration.remote.insecureSkipTlsVerify) return skipped(NOT_VERIFIED);
  const { chain, verifyCode, caCertificates, localCa, nowMs } = facts;
  const [leaf] = chain;
  if (verifyCode === undefined) {
    return passed(
      `signed by ${commonNameOf(leaf?.issuer)}, valid until ${leaf?.validToDate.toISOString() ?? ''}`,
    );
  }
  const roots = (caCertificates ?? []).map((pem) => new X509Certificate(pem));
  const expired = [...chain, ...roots].find((one) => one.validToDate.getTime() < nowMs);
  const early = [...chain, ...roots].find((one) => one.validFromDate.getTime() > nowMs);
  if (verifyCode === 'CERT_HAS_EXPIRED' && expired !== undefined) {
    return outsideValidity(registration, context, {
      message: `the certificate of ${commonNameOf(expired.subject)} expired on ${expired.validToDate.toISOString()}`,
      hasLocalCa: localCa !== undefined,
    });
  }
  if (verifyCode === 'CERT_NOT_YET_VALID' && early !== undefined) {
    return outsideValidity(registration, context, {
      message: `the certificate of ${commonNameOf(early.subject)} is valid only from ${early.validFromDate.toISOString()}, and the time here is ${new Date(nowMs).toISOString()}: one of the two clocks is wrong`,
      hasLocalCa: localCa !== undefined,
    });
  }
  const isLocal = leaf !== undefined && localCa !== undefined && signs(localCa, leaf);
  const failed = {
    status: 'failed',
    message: untrustedMessage(facts, roots),
    impact: 'the aggregator accepts only certificates that the caBundle signed',
  } as const;
  const fixes = [caBundleFix(registration.name, isLocal ? localCa : undefined)];
  if (isLocal) return { ...failed, fixes };
  return { ...failed, fixes, alternatives: certificateFixes(registration, context, 'init') };
}

function outsideValidity(
  registration: RemoteRegistration,
  context: CommandContext,
  { message, hasLocalCa }: { message: string; hasLocalCa: boolean },
): Failed {
  return {
    status: 'failed',
    message,
    impact: 'the aggregator accepts no certificate outside its validity period',
    fixes: certificateFixes(registration, context, hasLocalCa ? 'renew' : 'init'),
  };
}

function untrustedMessage(
  { chain, verifyCode, caCertificates }: CertificateFacts,
  roots: readonly X509Certificate[],
): string {
  const [leaf] = chain;
  const issuer = commonNameOf(leaf?.issuer);
  const trusted =
    caCertificates === undefined
      ? 'there is no caBundle, and no CA of the system signed it'
      : `the caBundle holds ${roots.map(({ subject }) => commonNameOf(subject)).join(', ')}`;
  switch (verifyCode) {
    case 'INVALID_PURPOSE':
      return `the certificate is not a server certificate (${leaf?.keyUsage?.join(', ') ?? ''})`;
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return `the certificate is self-signed; ${trusted}`;
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_GET_ISSUER_CERT':
      return `the certificate is signed by ${issuer}; ${trusted}, and the server sends no intermediate certificate that leads to it`;
    default:
      return `the certificate is signed by ${issuer}, which is not trusted (${verifyCode}); ${trusted}`;
  }
}

export function signs(ca: string, leaf: X509Certificate): boolean {
  try {
    const issuer = new X509Certificate(ca);
    return leaf.checkIssued(issuer) && leaf.verify(issuer.publicKey);
  } catch {
    return false; // not a certificate
  }
}

/** The common name in quotes, or the whole name when it has none. */
export function commonNameOf(distinguishedName = ''): string {
  return `"${/^CN=(.*)$/m.exec(distinguishedName)?.[1] ?? distinguishedName.replaceAll('\n', ', ')}"`;
}
