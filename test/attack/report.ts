/** The table of a run, and what in it must not be. */
import { failuresOf, type Row, type Run } from './run.ts';

export const MEMORY_MIB_MAX = 400;
export const SLOWER_MAX = 5;
/** A quiet value of less is not told from the noise of the machine. */
const QUIET_MS_MIN = 5;

const HEADS = [
  'attack',
  'sent',
  'livez p99',
  'GET p99',
  '×quiet',
  'write p99',
  'others',
  'MiB',
  'findings',
];

export function table({ rows, quiet, after }: Run): string {
  const lines = [
    lineOf('(quiet)', { felt: quiet, sent: 0, findings: [] }, quiet),
    ...rows.map((row) => lineOf(row.name, row, quiet)),
    ...(after === undefined
      ? []
      : [lineOf('(afterwards)', { felt: after, sent: 0, findings: [] }, quiet)]),
  ];
  const all = [HEADS, ...lines];
  const widths = HEADS.map((_, column) =>
    Math.max(...all.map((line) => (line[column] ?? '').length)),
  );
  return all
    .map((line) =>
      line
        .map((cell, column) => pad(cell, widths[column] ?? 0, column))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function lineOf(
  name: string,
  { felt, sent, findings }: Pick<Row, 'felt' | 'sent' | 'findings'>,
  quiet: Row['felt'],
): string[] {
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  const others = failuresOf(felt).length + felt.missed + felt.watchEnds;
  return [
    name,
    String(sent),
    ms(felt.liveness.p99),
    ms(felt.get.p99),
    slower(felt, quiet).toFixed(1),
    ms(felt.write.p99),
    others === 0 ? '-' : `${others} failed`,
    String(felt.peakMiB),
    findings.length === 0 ? '-' : String(findings.length),
  ];
}

function pad(cell: string, width: number, column: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}

function slower(felt: Row['felt'], quiet: Row['felt']): number {
  return felt.get.p99 / Math.max(QUIET_MS_MIN, quiet.get.p99);
}

/** Bounds for a machine of any speed. */
export function violations({ rows, ended }: Run, { memoryMiBMax = MEMORY_MIB_MAX } = {}): string[] {
  const found = rows.flatMap(({ name, findings, felt }) => [
    ...findings.map((line) => `${name}: ${line}`),
    ...failuresOf(felt).map((line) => `${name}: a request of another user: ${line}`),
    ...(felt.missed > 0 ? [`${name}: a watch of another user missed ${felt.missed} events`] : []),
    ...(felt.watchEnds > 0
      ? [`${name}: a watch of another user was cut ${felt.watchEnds} times`]
      : []),
    ...(felt.peakMiB > memoryMiBMax ? [`${name}: the server held ${felt.peakMiB} MiB`] : []),
  ]);
  return ended === undefined ? found : [...found, ended];
}

/** Bounds for a machine without other load. */
export function slownesses({ rows, quiet }: Run): string[] {
  return rows
    .filter(({ felt }) => slower(felt, quiet) > SLOWER_MAX)
    .map(
      ({ name, felt }) =>
        `${name}: a GET of another user took ${slower(felt, quiet).toFixed(1)} times as long`,
    );
}
