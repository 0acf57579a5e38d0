/** Problems of certificates. The server renews on the same findings that `pki inspect` reports. */
import {
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  type X509Certificate,
} from 'node:crypto';
import { nameKey, namesOf, parseCertificates, subjectOf, USAGE_OID } from '@tributary/server/pki';
import type { AuthoritySpec, LeafSpec } from './inventory.ts';
import type { PkiFiles } from './pki-files.ts';

export const DAY_MS = 24 * 60 * 60 * 1000;
/** Leaves time to notice that renewal fails. */
const RENEW_BEFORE_MS = 30 * DAY_MS;

export interface Problem {
  readonly code:
    | 'missing'
    | 'unreadable'
    | 'expired'
    | 'not-yet-valid'
    | 'expires-soon'
    | 'not-a-ca'
    | 'key-missing'
    | 'key-mismatch'
    | 'unknown-signer'
    | 'weak-signature'
    | 'wrong-usage'
    | 'wrong-name'
    | 'missing-name'
    | 'shared-ca'
    | 'readable-by-others'
    | 'stale';
  readonly text: string;
}

export interface AuthorityState {
  readonly spec: AuthoritySpec;
  /** All trusted certificates; empty when the bundle is absent or unreadable. */
  readonly certificates: readonly X509Certificate[];
  readonly key: KeyState;
  /** The certificate of the key. */
  readonly signer: X509Certificate | undefined;
  readonly problems: readonly Problem[];
}

type KeyState =
  | { readonly kind: 'good'; readonly key: KeyObject }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unusable' };

export function authorityState(
  spec: AuthoritySpec,
  files: PkiFiles,
  nowMs: number,
): AuthorityState {
  const { certificates, problems } = readBundle(`${spec.file}.crt`, files);
  const key = keyState(files.get(`${spec.file}.key`));
  const signer =
    key.kind === 'good'
      ? certificates.find((certificate) => certificate.checkPrivateKey(key.key))
      : undefined;
  return {
    spec,
    certificates,
    key,
    signer,
    problems: [
      ...problems,
      ...certificates.flatMap((certificate) => authorityProblems(certificate, nowMs)),
      ...(certificates.length > 0 ? signerProblems(spec.file, key, signer) : []),
    ],
  };
}

/** Whether the certificate of an authority can be trusted at all. */
export function authorityProblems(certificate: X509Certificate, nowMs: number): Problem[] {
  return [
    ...timeProblems(certificate, nowMs),
    ...(certificate.ca ? [] : [problem('not-a-ca', 'is not the certificate of a CA')]),
  ];
}

function signerProblems(
  file: string,
  key: KeyState,
  signer: X509Certificate | undefined,
): Problem[] {
  if (signer !== undefined) return [];
  // The key may be stored elsewhere.
  if (key.kind === 'absent') return [];
  return [
    key.kind === 'unusable'
      ? problem('unreadable', `${file}.key cannot be read as a private key`)
      : problem('key-mismatch', `${file}.key belongs to no certificate of ${file}.crt`),
  ];
}

export function leafProblems(
  spec: LeafSpec,
  { files, authority, nowMs }: { files: PkiFiles; authority: AuthorityState; nowMs: number },
): Problem[] {
  const { certificates, problems } = readBundle(`${spec.file}.crt`, files);
  const [leaf] = certificates;
  if (leaf === undefined) return problems;
  return [
    ...timeProblems(leaf, nowMs),
    ...keyProblems(`${spec.file}.key`, leaf, files),
    ...signatureProblems(leaf, authority),
    ...contentProblems(spec, leaf),
  ];
}

/** The certificate of a bundle that signed another. */
export function signerOf(
  leaf: X509Certificate,
  authorities: readonly X509Certificate[],
): X509Certificate | undefined {
  return authorities.find((ca) => leaf.checkIssued(ca) && leaf.verify(ca.publicKey));
}

function timeProblems(certificate: X509Certificate, nowMs: number): Problem[] {
  const leftMs = certificate.validToDate.getTime() - nowMs;
  if (leftMs <= 0) return [problem('expired', `expired on ${dayOf(certificate.validToDate)}`)];
  if (certificate.validFromDate.getTime() > nowMs) {
    return [problem('not-yet-valid', `is not valid before ${dayOf(certificate.validFromDate)}`)];
  }
  if (leftMs > RENEW_BEFORE_MS) return [];
  return [problem('expires-soon', `runs out on ${dayOf(certificate.validToDate)}: renew it`)];
}

function keyProblems(name: string, leaf: X509Certificate, files: PkiFiles): Problem[] {
  const key = keyState(files.get(name));
  if (key.kind === 'absent') return [problem('key-missing', `${name} is missing`)];
  if (key.kind === 'unusable') {
    return [problem('unreadable', `${name} cannot be read as a private key`)];
  }
  if (leaf.checkPrivateKey(key.key)) return [];
  return [problem('key-mismatch', `${name} is the key of another certificate`)];
}

function signatureProblems(leaf: X509Certificate, authority: AuthorityState): Problem[] {
  if (signerOf(leaf, authority.certificates) === undefined) {
    return [problem('unknown-signer', `is not signed by ${authority.spec.file}.crt`)];
  }
  if (!/sha1/i.test(leaf.signatureAlgorithm ?? '')) return [];
  return [problem('weak-signature', 'is signed with SHA-1, which verifiers refuse')];
}

function contentProblems(spec: LeafSpec, leaf: X509Certificate): Problem[] {
  const problems: Problem[] = [];
  const usage = USAGE_OID[spec.usage];
  if (!(leaf.keyUsage ?? []).includes(usage)) {
    problems.push(problem('wrong-usage', `may not be used for ${spec.usage}Auth`));
  }
  const { commonName, organizations } = subjectOf(leaf);
  if (commonName !== spec.commonName) {
    problems.push(
      problem('wrong-name', `has CN=${commonName}; only ${spec.commonName} is allowed`),
    );
  }
  const missingGroups = (spec.organizations ?? []).filter((name) => !organizations.includes(name));
  for (const name of missingGroups) problems.push(problem('wrong-name', `lacks O=${name}`));
  const names = new Set(namesOf(leaf).map(nameKey));
  const missing = (spec.names ?? []).filter((name) => !names.has(nameKey(name)));
  if (missing.length > 0) {
    problems.push(problem('missing-name', `is not for ${missing.join(', ')}`));
  }
  return problems;
}

function readBundle(
  name: string,
  files: PkiFiles,
): { certificates: X509Certificate[]; problems: Problem[] } {
  const text = files.get(name);
  if (text === undefined) {
    return { certificates: [], problems: [problem('missing', `${name} is missing`)] };
  }
  try {
    return { certificates: parseCertificates(text), problems: [] };
  } catch {
    // An unreadable bundle is replaced or reported; OpenSSL's message would not help.
    const text = `${name} cannot be read as PEM certificates`;
    return { certificates: [], problems: [problem('unreadable', text)] };
  }
}

export function keyState(pem: string | undefined): KeyState {
  if (pem === undefined) return { kind: 'absent' };
  try {
    return { kind: 'good', key: createPrivateKey(pem) };
  } catch {
    return { kind: 'unusable' }; // Truncated, encrypted, or not a key.
  }
}

/**
 * The signing key of service account tokens. The public file may contain older keys, whose tokens are still accepted.
 */
export function signingKeyProblems(file: string, files: PkiFiles): Problem[] {
  const key = keyState(files.get(`${file}.key`));
  if (key.kind === 'absent') return [problem('missing', `${file}.key is missing`)];
  if (key.kind === 'unusable') {
    return [problem('unreadable', `${file}.key cannot be read as a private key`)];
  }
  if (files.get(`${file}.pub`)?.includes(publicPem(key.key).trim())) return [];
  return [problem('key-mismatch', `${file}.pub does not hold the public part of ${file}.key`)];
}

export function publicPem(key: KeyObject): string {
  return createPublicKey(key).export({ format: 'pem', type: 'spki' }).toString();
}

export function problem(code: Problem['code'], text: string): Problem {
  return { code, text };
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
