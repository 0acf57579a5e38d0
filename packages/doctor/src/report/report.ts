/** Prints diagnoses for people. */
import { stringifyYaml } from '@tributary/apimachinery';
import { type Diagnosis, type Fix, type HopResult, hopTitles } from './diagnosis.ts';
import { type CommandContext, shellQuote } from './fixes.ts';

const MARKS: Readonly<Record<HopResult['status'], string>> = {
  passed: '✓',
  failed: '✗',
  unknown: '?',
  skipped: '-',
  'not-run': '·',
};
const TITLE_WIDTH = Math.max(...Object.values(hopTitles).map(({ length }) => length));

export interface ReportOptions {
  readonly context: CommandContext;
  /** Whether to print every hop of healthy APIServices, too. */
  readonly isDetailed: boolean;
}

export function formatReport(
  diagnoses: readonly Diagnosis[],
  { context, isDetailed }: ReportOptions,
): string {
  const lines = diagnoses.flatMap((one) => [
    `${one.name}: ${statusText(one)}`,
    ...(isDetailed || one.status === 'broken'
      ? [...formatHops(one), ...formatProblem(one, context)]
      : []),
  ]);
  return `${lines.join('\n')}\n`;
}

function statusText({ problem, hops }: Diagnosis): string {
  if (problem !== undefined) return `broken at ${hopTitles[problem.hop]}`;
  return isLocal(hops) ? 'served by the API server itself' : 'healthy';
}

function isLocal(hops: Diagnosis['hops']): boolean {
  return hops.every(({ status }) => status === 'skipped');
}

function formatHops({ hops }: Diagnosis): string[] {
  if (isLocal(hops)) return [];
  return hops.map(
    ({ hop, status, message }) =>
      `  ${MARKS[status]} ${hopTitles[hop].padEnd(TITLE_WIDTH)}  ${message}`,
  );
}

function formatProblem({ problem }: Diagnosis, context: CommandContext): string[] {
  if (problem === undefined) return [];
  const { impact, fixes, alternatives = [] } = problem;
  return [
    '',
    `  Why it matters: ${impact}.`,
    '  Fix:',
    ...fixes.flatMap((fix) => formatFix(fix, context)),
    ...(alternatives.length > 0 ? ['  Or, if that is not the cause:'] : []),
    ...alternatives.flatMap((fix) => formatFix(fix, context)),
    '',
  ];
}

function formatFix(fix: Fix, context: CommandContext): string[] {
  const blanks = 'blanks' in fix && fix.blanks !== undefined ? Object.entries(fix.blanks) : [];
  const text = fixText(fix, context)
    .split('\n')
    .map((line) => `    ${line}`);
  return [...text, ...blanks.map(([word, meaning]) => `    # ${word}: ${meaning}`)];
}

/** Text to paste into a shell; steps for a person are comments. */
export function fixText(fix: Fix, { kubectlFlags }: CommandContext): string {
  switch (fix.kind) {
    case 'kubectl': {
      const line = ['kubectl', ...kubectlFlags, ...fix.args].map(shellQuote).join(' ');
      if (fix.input === undefined) return line;
      const manifest = stringifyYaml(fix.input).trimEnd();
      return `${line} <<'EOF'\n${manifest}\nEOF`;
    }
    case 'command':
      return fix.argv.map(shellQuote).join(' ');
    case 'script':
      return fix.script;
    case 'server':
      return [`# ${fix.text}`, ...(fix.flags ?? []).map((flag) => `#   ${flag}`)].join('\n');
  }
}
