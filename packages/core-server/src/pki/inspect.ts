/** Describes every certificate of a directory with its signer and its problems. Changes nothing. */
import type { X509Certificate } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { namesOf, parseCertificates, USAGE_OID } from '@tributary/server/pki';
import {
  type AuthorityState,
  authorityProblems,
  authorityState,
  leafProblems,
  type Problem,
  problem,
  signerOf,
  signingKeyProblems,
} from './checks.ts';
import { knownAuthority, sharedWith } from './ensure.ts';
import {
  CA_BUNDLE_FILE,
  derivedFiles,
  type ExtensionServer,
  inventoryOf,
  SECRET_FILE,
} from './extension-server.ts';
import { controlPlaneInventory, fileNames, type Inventory, type LeafSpec } from './inventory.ts';
import { type PkiFiles, readPkiFiles } from './pki-files.ts';

export interface CertificateReport {
  /** Such as `apiserver.crt`; several certificates of a bundle are `ca.crt#1`, `ca.crt#2`. */
  readonly file: string;
  /** In one line, such as `O=system:masters, CN=kubernetes-admin`; empty without a readable certificate. */
  readonly subject: string;
  readonly issuer: string;
  readonly names: readonly string[];
  readonly usages: readonly string[];
  readonly notBefore: string | undefined;
  readonly notAfter: string | undefined;
  /** The certificate that verifies it, as `file`; undefined when none does. */
  readonly verifiedBy: string | undefined;
  readonly problems: readonly Problem[];
}

export interface PkiReport {
  readonly directory: string;
  readonly certificates: readonly CertificateReport[];
}

export async function inspectControlPlane(directory: string, nowMs: number): Promise<PkiReport> {
  return inspectPki(directory, controlPlaneInventory({}), nowMs);
}

export async function inspectExtensionServer(
  directory: string,
  server: ExtensionServer,
  nowMs: number,
): Promise<PkiReport> {
  const report = await inspectPki(directory, inventoryOf(server), nowMs);
  const names = ['ca.crt', 'tls.crt', 'tls.key', SECRET_FILE, CA_BUNDLE_FILE];
  const files = await readPkiFiles(directory, names);
  const forms = derivedFiles(files, server);
  const stale = [
    files.get(SECRET_FILE) === forms.secret ? [] : [SECRET_FILE],
    files.get(CA_BUNDLE_FILE)?.trim() === forms.caBundle ? [] : [CA_BUNDLE_FILE],
  ].flat();
  const reports = stale.map((file) =>
    fileReport(file, [problem('stale', `${file} does not hold these certificates: pki init`)]),
  );
  return { directory, certificates: [...report.certificates, ...reports] };
}

async function inspectPki(
  directory: string,
  inventory: Inventory,
  nowMs: number,
): Promise<PkiReport> {
  const files = await readPkiFiles(directory, fileNames(inventory));
  const authorities = new Map(
    inventory.authorities.map((spec) => [spec.file, authorityState(spec, files, nowMs)]),
  );
  const openKeys = await keysReadableByOthers(directory, inventory);
  const reports = [
    ...[...authorities.values()].flatMap((state) => authorityReports(state, authorities, nowMs)),
    ...inventory.leaves.map((spec) => {
      const authority = knownAuthority(authorities, spec.authority);
      return leafReport(spec, { files, authority, nowMs });
    }),
    ...(inventory.signingKey === undefined ? [] : [signingKeyReport(inventory.signingKey, files)]),
  ];
  return { directory, certificates: reports.map((report) => withOpenKey(report, openKeys)) };
}

/** Problems of the bundle or its key are reported once, with the first certificate. */
function authorityReports(
  state: AuthorityState,
  authorities: ReadonlyMap<string, AuthorityState>,
  nowMs: number,
): CertificateReport[] {
  const { spec, certificates } = state;
  const file = `${spec.file}.crt`;
  if (certificates.length === 0) return [fileReport(file, state.problems)];
  const other = sharedWith(state, authorities);
  const shared =
    other === undefined ? [] : [problem('shared-ca', `is the same CA as ${other}.crt`)];
  const own = certificates.map((certificate) => authorityProblems(certificate, nowMs));
  const ofTheWhole = state.problems.slice(own.flat().length);
  return certificates.map((certificate, index) => ({
    ...certificateReport(labelOf(file, index, certificates), certificate),
    usages: ['CA'],
    verifiedBy: signerOf(certificate, certificates) && labelOf(file, index, certificates),
    problems: [...(own[index] ?? []), ...(index === 0 ? [...ofTheWhole, ...shared] : [])],
  }));
}

function leafReport(
  spec: LeafSpec,
  context: { files: PkiFiles; authority: AuthorityState; nowMs: number },
): CertificateReport {
  const file = `${spec.file}.crt`;
  const problems = leafProblems(spec, context);
  const leaf = firstCertificate(context.files.get(file));
  if (leaf === undefined) return fileReport(file, problems);
  const { certificates } = context.authority;
  const signer = signerOf(leaf, certificates);
  const verifiedBy =
    signer && labelOf(`${spec.authority}.crt`, certificates.indexOf(signer), certificates);
  return { ...certificateReport(file, leaf), verifiedBy, problems };
}

function signingKeyReport(file: string, files: PkiFiles): CertificateReport {
  const report = fileReport(`${file}.key`, signingKeyProblems(file, files));
  return { ...report, usages: ['tokens'] };
}

function certificateReport(file: string, certificate: X509Certificate): CertificateReport {
  return {
    file,
    subject: oneLine(certificate.subject),
    issuer: oneLine(certificate.issuer),
    names: namesOf(certificate),
    usages: (certificate.keyUsage ?? []).map(usageName),
    notBefore: certificate.validFromDate.toISOString(),
    notAfter: certificate.validToDate.toISOString(),
    verifiedBy: undefined,
    problems: [],
  };
}

function fileReport(file: string, problems: readonly Problem[]): CertificateReport {
  return {
    file,
    subject: '',
    issuer: '',
    names: [],
    usages: [],
    notBefore: undefined,
    notAfter: undefined,
    verifiedBy: undefined,
    problems,
  };
}

/** Keys with permissions for other users. */
async function keysReadableByOthers(directory: string, inventory: Inventory): Promise<string[]> {
  const keys = fileNames(inventory).filter((name) => name.endsWith('.key'));
  const modes = await Promise.all(
    keys.map((name) => stat(join(directory, name)).catch(() => undefined)), // Missing files are reported elsewhere.
  );
  return keys.filter((_name, index) => ((modes[index]?.mode ?? 0) & 0o077) !== 0);
}

function withOpenKey(report: CertificateReport, openKeys: readonly string[]): CertificateReport {
  const [file = ''] = report.file.split('#');
  const key = file.replace(/\.crt$/, '.key');
  if (!openKeys.includes(key) || report.file.includes('#2')) return report;
  const found = problem('readable-by-others', `${key} can be read by others: chmod 600`);
  return { ...report, problems: [...report.problems, found] };
}

function firstCertificate(pem: string | undefined): X509Certificate | undefined {
  try {
    return parseCertificates(pem ?? '')[0];
  } catch {
    return undefined; // Reported among the problems.
  }
}

function labelOf(file: string, index: number, certificates: readonly unknown[]): string {
  return certificates.length > 1 ? `${file}#${index + 1}` : file;
}

function usageName(oid: string): string {
  const known = (Object.keys(USAGE_OID) as (keyof typeof USAGE_OID)[]).find(
    (usage) => USAGE_OID[usage] === oid,
  );
  return known === undefined ? oid : `${known}Auth`;
}

function oneLine(name: string | undefined): string {
  return (name ?? '').split('\n').join(', ');
}
