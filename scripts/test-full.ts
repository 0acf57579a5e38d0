/** `npm run test:full`: runs every test at full length. Resumes an interrupted run and writes one report. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { arch, availableParallelism, platform, release } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cacheDir } from '../interop/peers/cache.ts';
import { MISSING_GO } from '../test/harness/prerequisites.ts';
import { readDurations, runJobs } from './test.ts';
import { findTestFiles, planJobs, type SuiteName, suites } from './test-plan.ts';
import { closingLine } from './test-report.ts';
import {
  jsonLines,
  parseResultLines,
  type ResultLine,
  resultLines,
  treeKey,
} from './test-results.ts';

const HELP = `Usage: npm run test:full -- [FILTER…] [options]

Runs every test file at full length (TRIBUTARY_FULL=1): the tests of "npm test" and "npm run test:interop", the long
runs and every mutant, and then, one at a time, the tests that assert durations. Needs the real programs
("npm run peers") and takes hours. An interrupted run resumes while the tree is the same; the report is written after
every file.

  --restart       discard the results of earlier runs
  --report FILE   also write the report there
  --help          this text
`;

/** Tests that assert durations run last, when nothing else runs. */
const ORDER: readonly SuiteName[] = ['full', 'timing'];

interface Progress {
  folder: string;
  journal: string;
  done: ResultLine[];
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      restart: { type: 'boolean', default: false },
      report: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void process.stdout.write(HELP);
  const root = join(import.meta.dirname, '..');
  const tree = treeKey(root);
  const progress = openProgress(tree, values.restart);
  const write = (): void => {
    const text = reportText(tree, progress.done);
    writeFileSync(join(progress.folder, 'report.md'), text);
    if (values.report !== undefined) writeFileSync(values.report, text);
  };
  for (const name of ORDER) await runSuite(name, { root, filters: positionals, progress, write });
  write();
  const counts = countsOf(progress.done);
  process.stdout.write(`Report: ${join(progress.folder, 'report.md')}\n${closingLine(counts)}\n`);
  process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;
}

interface SuiteRun {
  root: string;
  filters: readonly string[];
  progress: Progress;
  write(): void;
}

async function runSuite(
  name: SuiteName,
  { root, filters, progress, write }: SuiteRun,
): Promise<void> {
  const suite = suites[name];
  const all = findTestFiles(root, suite);
  const wanted =
    filters.length === 0
      ? all
      : all.filter((file) => filters.some((filter) => file.includes(filter)));
  const over = new Set(progress.done.filter(({ test }) => test === '').map(({ file }) => file));
  const left = wanted.filter((file) => !over.has(file));
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  print(`=== ${name}: ${left.length} files to run, ${wanted.length - left.length} already done`);
  const started = performance.now();
  let count = 0;
  const durations = readDurations(root);
  await runJobs({
    root,
    suite,
    jobs: planJobs(left, { root, durations, share: !suite.alone }),
    namePattern: undefined,
    policy: { ci: true, tolerated: MISSING_GO },
    print,
    onOutcome: async (outcome) => {
      const lines = resultLines(outcome);
      progress.done.push(...lines);
      await appendFile(progress.journal, jsonLines(lines));
      count += 1;
      const minutes = ((performance.now() - started) / 60_000).toFixed(0);
      print(`--- ${name}: ${count} of ${left.length} files, ${minutes} min`);
      write();
    },
  });
}

function openProgress(tree: string, restart: boolean): Progress {
  const folder = join(cacheDir(), 'test-full', tree);
  if (restart) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const journal = join(folder, 'results.jsonl');
  const done = existsSync(journal) ? parseResultLines(readFileSync(journal, 'utf8')) : [];
  writeFileSync(journal, jsonLines(done)); // Without a truncated last line.
  return { folder, journal, done };
}

const isTest = ({ test, outcome }: ResultLine): boolean => test !== '' || outcome === 'failed';

function countsOf(lines: readonly ResultLine[]) {
  const count = (outcome: string): number =>
    lines.filter((line) => line.outcome === outcome && isTest(line)).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    todo: count('todo'),
  };
}

const SLOWEST = 20;

export function reportText(tree: string, lines: readonly ResultLine[]): string {
  const files = lines.filter(({ test }) => test === '');
  const failed = lines.filter(({ outcome }) => outcome === 'failed');
  const skipped = lines.filter(({ outcome }) => outcome === 'skipped');
  const slowest = files.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, SLOWEST);
  return [
    '# Full test run',
    '',
    `- tree ${tree}, ${platform()} ${release()} ${arch()}, ${availableParallelism()} cores, Node ${process.version}`,
    `- ${files.length} files: ${closingLine(countsOf(lines))}`,
    '',
    '## Failed',
    '',
    ...failed.map(({ file, test, error = '' }) => `- ${file}: ${test}\n\n  ${firstLine(error)}\n`),
    '## Skipped',
    '',
    ...skipped.map(({ file, test }) => `- ${file}: ${test}`),
    '',
    '## Slowest files',
    '',
    ...slowest.map(({ file, durationMs }) => `- ${(durationMs / 1000).toFixed(1)} s ${file}`),
    '',
  ].join('\n');
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  }
}
