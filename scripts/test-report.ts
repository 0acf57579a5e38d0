/** The text of a test run: a line per file, failures in full, one closing line. */
import { styleText } from 'node:util';
import type { FileOutcome } from './test-file.ts';
import type { TestResult } from './test-record.ts';

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  todo: number;
}

export interface Failure {
  title: string;
  where: string;
  text: string;
  /** It did not run because an enclosing test failed, and that failure is reported. */
  cancelled?: boolean;
}

/** With CI=true a skip is a failure, unless its reason begins with this. */
export interface SkipPolicy {
  ci: boolean;
  tolerated: string;
}

export interface Verdict {
  counts: Counts;
  failures: Failure[];
  /** Reasons of skips, each with its number of tests. */
  skips: Map<string, number>;
}

export function evaluateFile(outcome: FileOutcome, policy: SkipPolicy): Verdict {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0, todo: 0 };
  const failures: Failure[] = [];
  const skips = new Map<string, number>();
  for (const problem of outcome.problems) {
    failures.push({ title: `this file ${problem}`, where: outcome.file, text: '' });
  }
  for (const result of outcome.results) {
    if (!isCounted(result)) continue;
    if (result.outcome === 'skipped') {
      const reason = result.reason || 'no reason';
      skips.set(reason, (skips.get(reason) ?? 0) + 1);
    }
    const failure = failureOf(result, policy);
    if (failure === undefined) counts[result.outcome] += 1;
    else failures.push(failure);
  }
  counts.failed = failures.length;
  return { counts, failures, skips };
}

/** A parent fails with its subtest and a suite passes with its tests, so neither counts. */
function isCounted(result: TestResult): boolean {
  if (result.outcome === 'failed') return result.failure !== 'subtestsFailed';
  return !result.suite || result.outcome === 'skipped';
}

function failureOf(result: TestResult, { ci, tolerated }: SkipPolicy): Failure | undefined {
  const title = result.path.join(' > ') || 'this file could not be loaded';
  const { where } = result;
  if (result.outcome === 'failed') {
    return { title, where, text: result.error, cancelled: result.failure === 'cancelledByParent' };
  }
  if (result.outcome === 'skipped' && ci && !result.reason.startsWith(tolerated)) {
    return { title, where, text: `skipped, and in CI nothing may be skipped: ${result.reason}` };
  }
  return undefined;
}

export function addCounts(a: Counts, b: Counts): Counts {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    todo: a.todo + b.todo,
  };
}

export function fileLine({ file, durationMs }: FileOutcome, { counts }: Verdict): string {
  const mark = counts.failed > 0 ? styleText('red', '✖') : styleText('green', '✔');
  const seconds = `${(durationMs / 1000).toFixed(1)} s`;
  return `${mark} ${file}  ${countsText(counts)}  (${seconds})`;
}

/** Failures in full, then the output of the file, which includes the logs of the programs it started. */
export function failureText(outcome: FileOutcome, { failures }: Verdict): string {
  const parts = failures
    .filter(({ cancelled }) => !cancelled)
    .map(({ title, where, text }) =>
      [`  ${styleText('red', '✖')} ${title}`, `    ${where}`, indent(text, '    ')]
        .filter((line) => line.trim() !== '')
        .join('\n'),
    );
  const cancelled = failures.filter((failure) => failure.cancelled).map(({ title }) => title);
  if (cancelled.length > 0) {
    parts.push(`  did not run because of it:\n${indent(cancelled.join('\n'), '    ')}`);
  }
  const output = outcome.output.trim();
  if (output !== '') parts.push(`  output of ${outcome.file}:\n${indent(output, '  | ')}`);
  return parts.join('\n\n');
}

const FAILURE_TEXT_MAX_CHARS = 2_000;

/** A short repetition of the failures: the log of a long run is often truncated at its beginning. */
export function repeatedFailures(file: string, failures: readonly Failure[]): string[] {
  return failures
    .filter(({ cancelled }) => !cancelled)
    .map(({ title, text }) => {
      const short =
        text.length > FAILURE_TEXT_MAX_CHARS ? `${text.slice(0, FAILURE_TEXT_MAX_CHARS)} …` : text;
      const lines = short === '' ? '' : `\n${indent(short, '    ')}`;
      return `${styleText('red', 'FAILED')} ${file}: ${title}${lines}`;
    });
}

export function skipLines(skips: ReadonlyMap<string, number>): string[] {
  return [...skips].map(([reason, count]) => {
    const tests = count === 1 ? '1 test' : `${count} tests`;
    return `${styleText('yellow', `SKIPPED ${tests}:`)} ${reason}`;
  });
}

export interface Timed {
  name: string;
  durationMs: number;
}

const SLOWEST = 20;

/** The slowest files and tests. A test with subtests takes their total time, and is not listed. */
export function slowestLines(outcomes: readonly FileOutcome[]): string[] {
  const files = outcomes.map(({ file, durationMs }) => ({ name: file, durationMs }));
  const tests = outcomes.flatMap(({ file, results }) =>
    results
      .filter(({ path, suite }) => !suite && path.length > 0 && !hasSubtests(results, path))
      .map(({ path, durationMs }) => ({ name: `${file}: ${path.join(' > ')}`, durationMs })),
  );
  return [
    `The ${SLOWEST} slowest files:`,
    ...longest(files).map(timedLine),
    `The ${SLOWEST} slowest tests:`,
    ...longest(tests).map(timedLine),
  ];
}

function hasSubtests(results: readonly TestResult[], path: readonly string[]): boolean {
  return results.some(
    (other) => other.path.length > path.length && path.every((name, at) => other.path[at] === name),
  );
}

function longest(items: readonly Timed[]): Timed[] {
  return items.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, SLOWEST);
}

function timedLine({ name, durationMs }: Timed): string {
  return `${(durationMs / 1000).toFixed(1).padStart(8)} s  ${name}`;
}

/** The last line of a run, which other programs parse. */
export function closingLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function countsText({ passed, failed, skipped, todo }: Counts): string {
  const parts = [`${passed} passed`];
  if (failed > 0) parts.push(`${failed} failed`);
  if (skipped > 0) parts.push(`${skipped} skipped`);
  if (todo > 0) parts.push(`${todo} to do`);
  return parts.join(', ');
}

function indent(text: string, by: string): string {
  return text
    .split('\n')
    .map((line) => by + line)
    .join('\n');
}
