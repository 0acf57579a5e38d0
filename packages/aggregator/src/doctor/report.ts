/** What the doctor says to people. */
import { stringifyYaml } from '@tributary/apimachinery';
import { type Examination, type Fix, type HopResult, hopTitles } from './finding.ts';
import { type Place, quoted } from './fixes.ts';

const MARKS: Readonly<Record<HopResult['outcome'], string>> = {
  well: '✓',
  broken: '✗',
  unseen: '?',
  skipped: '-',
  'not-tried': '·',
};
const TITLE_WIDTH = Math.max(...Object.values(hopTitles).map(({ length }) => length));

export interface ReportOptions {
  readonly place: Place;
  /** Also of those that are well. */
  readonly isDetailed: boolean;
}

export function reportOf(
  examinations: readonly Examination[],
  { place, isDetailed }: ReportOptions,
): string {
  const lines = examinations.flatMap((one) => [
    `${one.name}: ${verdictOf(one)}`,
    ...(isDetailed || one.verdict !== 'well'
      ? [...hopLines(one), ...findingLines(one, place)]
      : []),
  ]);
  return `${lines.join('\n')}\n`;
}

function verdictOf({ verdict, finding, hops }: Examination): string {
  switch (verdict) {
    case 'well':
      return isLocal(hops) ? 'served by the API server itself' : 'well';
    case 'broken':
      return `broken at ${finding === undefined ? '' : hopTitles[finding.hop]}`;
  }
}

function isLocal(hops: Examination['hops']): boolean {
  return hops.every(({ outcome }) => outcome === 'skipped');
}

function hopLines({ hops }: Examination): string[] {
  if (isLocal(hops)) return [];
  return hops.map(
    ({ hop, outcome, words }) =>
      `  ${MARKS[outcome]} ${hopTitles[hop].padEnd(TITLE_WIDTH)}  ${words}`,
  );
}

function findingLines({ finding }: Examination, place: Place): string[] {
  if (finding === undefined) return [];
  const { matters, fixes, otherwise = [] } = finding;
  return [
    '',
    `  Why it matters: ${matters}.`,
    '  Fix:',
    ...fixes.flatMap((fix) => fixLines(fix, place)),
    ...(otherwise.length > 0 ? ['  Or, where that is not the reason:'] : []),
    ...otherwise.flatMap((fix) => fixLines(fix, place)),
    '',
  ];
}

function fixLines(fix: Fix, place: Place): string[] {
  const blanks = 'blanks' in fix && fix.blanks !== undefined ? Object.entries(fix.blanks) : [];
  const text = fixText(fix, place)
    .split('\n')
    .map((line) => `    ${line}`);
  return [...text, ...blanks.map(([word, meaning]) => `    # ${word}: ${meaning}`)];
}

/** To be pasted into a shell; what a person has to do stands behind a `#`. */
export function fixText(fix: Fix, { kubectlFlags }: Place): string {
  switch (fix.kind) {
    case 'kubectl': {
      const line = ['kubectl', ...kubectlFlags, ...fix.args].map(quoted).join(' ');
      if (fix.input === undefined) return line;
      const manifest = stringifyYaml(fix.input).trimEnd();
      return `${line} <<'EOF'\n${manifest}\nEOF`;
    }
    case 'command':
      return fix.argv.map(quoted).join(' ');
    case 'script':
      return fix.script;
    case 'server':
      return [`# ${fix.text}`, ...(fix.flags ?? []).map((flag) => `#   ${flag}`)].join('\n');
  }
}
