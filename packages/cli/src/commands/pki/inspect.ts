import { humanDuration } from '@tributary/apimachinery';
import type { CertificateReport, PkiReport } from '@tributary/core-server';
import {
  knownServers,
  type Location,
  locationOf,
  type ServerFlags,
  serverDirectory,
} from './locations.ts';

export interface InspectFlags extends ServerFlags {
  readonly output: 'table' | 'json';
}

export interface Inspection {
  readonly lines: readonly string[];
  readonly problems: number;
}

/** One directory; for a control plane also those of the extension servers that lie in it. */
export async function inspectCertificates(flags: InspectFlags): Promise<Inspection> {
  const nowMs = Date.now();
  const location = await locationOf(flags);
  const groups = location.kind === 'control-plane' ? await knownServers(flags.dataDir) : [];
  const reports = await Promise.all([
    reportOf(location, nowMs),
    ...groups.map((server) => serverReport({ dataDir: flags.dataDir, server }, nowMs)),
  ]);
  const problems = reports
    .flatMap(({ certificates }) => certificates)
    .reduce((sum, certificate) => sum + certificate.problems.length, 0);
  const lines =
    flags.output === 'json'
      ? [JSON.stringify({ problems, directories: reports }, undefined, 2)]
      : reports.flatMap((report) => tableOf(report, nowMs));
  return { lines, problems };
}

/** One that does not even say what it is for must not hide the others. */
async function serverReport(
  flags: { dataDir: string; server: string },
  nowMs: number,
): Promise<PkiReport> {
  const { serviceOf } = await import('@tributary/core-server');
  const directory = serverDirectory(flags);
  if ((await serviceOf(directory)) !== undefined) return reportOf(await locationOf(flags), nowMs);
  const text = `tls.crt does not say which Service it is for: pki init --server ${flags.server} --service NAMESPACE/NAME`;
  const nothing = { subject: '', issuer: '', names: [], usages: [] };
  const times = { notBefore: undefined, notAfter: undefined, verifiedBy: undefined };
  return {
    directory,
    certificates: [
      { file: 'tls.crt', ...nothing, ...times, problems: [{ code: 'unreadable', text }] },
    ],
  };
}

async function reportOf(location: Location, nowMs: number): Promise<PkiReport> {
  const { inspectControlPlane, inspectExtensionServer } = await import('@tributary/core-server');
  return location.kind === 'control-plane'
    ? inspectControlPlane(location.directory, nowMs)
    : inspectExtensionServer(location.directory, location.server, nowMs);
}

const HEAD = ['FILE', 'SUBJECT', 'ISSUER', 'NAMES', 'USAGES', 'EXPIRES IN', 'VERIFIED BY'];
/** Lines stay readable; `--output json` has all of them. */
const NAMES_SHOWN = 2;

/** A table, and below it what is wrong, one problem a line. */
export function tableOf({ directory, certificates }: PkiReport, nowMs: number): string[] {
  const rows = [HEAD, ...certificates.map((certificate) => rowOf(certificate, nowMs))];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const table = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const problems = certificates.flatMap(({ file, problems }) =>
    problems.map(({ text }) => `  ${text.startsWith(file) ? text : `${file}: ${text}`}`),
  );
  const verdict = problems.length === 0 ? ['no problems'] : ['problems:', ...problems];
  return [directory, ...table, ...verdict, ''];
}

function rowOf(report: CertificateReport, nowMs: number): string[] {
  const { file, subject, issuer, names, usages, notAfter, verifiedBy } = report;
  const more = names.length > NAMES_SHOWN ? ` +${names.length - NAMES_SHOWN}` : '';
  const cells = [
    file,
    subject,
    issuer,
    names.slice(0, NAMES_SHOWN).join(',') + more,
    usages.join(','),
    notAfter === undefined ? '' : left(Date.parse(notAfter) - nowMs),
    verifiedBy ?? '',
  ];
  return cells.map((cell) => (cell === '' ? '-' : cell));
}

function left(milliseconds: number): string {
  return milliseconds > 0 ? humanDuration(milliseconds) : 'expired';
}
