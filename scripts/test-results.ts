/** Results of a run as JSON lines: `npm run test:steady` compares them, `npm run test:full` resumes and reports. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import type { FileOutcome } from './test-file.ts';

/** One test; an empty name stands for the file itself. */
export interface ResultLine {
  file: string;
  test: string;
  outcome: string;
  durationMs: number;
  error?: string;
}

export function resultLines({ file, results, problems, durationMs }: FileOutcome): ResultLine[] {
  const lines = results
    .filter(({ suite, outcome }) => !suite || outcome === 'failed')
    .map(
      (result): ResultLine => ({
        file,
        test: result.path.join(' > '),
        outcome: result.outcome,
        durationMs: Math.round(result.durationMs),
        ...(result.outcome === 'failed' ? { error: result.error } : {}),
      }),
    );
  const whole = {
    file,
    test: '',
    outcome: problems.length === 0 ? 'passed' : 'failed',
    durationMs: Math.round(durationMs),
    ...(problems.length === 0 ? {} : { error: problems.join('; ') }),
  };
  return [whole, ...lines];
}

/** Parses the output of `jsonLines`; the last line may be truncated when the run was killed. */
export function parseResultLines(text: string): ResultLine[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as ResultLine);
}

export function jsonLines(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** The commit and a hash of uncommitted changes: results of another tree cannot be resumed. */
export function treeKey(root: string): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
  const commit = git('rev-parse', '--short=12', 'HEAD').trim();
  const changes = git('diff', 'HEAD') + git('ls-files', '--others', '--exclude-standard');
  if (changes === '') return commit;
  return `${commit}-${createHash('sha256').update(changes).digest('hex').slice(0, 8)}`;
}
