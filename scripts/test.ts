/** `npm test`: runs the test files of a suite, a few processes at a time. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MISSING_GO } from '../test/harness/prerequisites.ts';
import { SeededRandom } from '../test/harness/random.ts';
import { build } from './build.ts';
import {
  clockEnvironment,
  RESULTS_VARIABLE,
  SHUFFLE_VARIABLE,
  usesRealPrograms,
} from './test-conditions.ts';
import { type FileOutcome, runTestFiles, type TestFileOptions } from './test-file.ts';
import {
  findTestFiles,
  type Job,
  planJobs,
  type Suite,
  type SuiteName,
  selectFiles,
  suites,
} from './test-plan.ts';
import {
  addCounts,
  type Counts,
  closingLine,
  evaluateFile,
  failureText,
  fileLine,
  repeatedFailures,
  type SkipPolicy,
  skipLines,
  slowestLines,
} from './test-report.ts';
import { jsonLines, resultLines } from './test-results.ts';

const HELP = `Usage: npm test -- [FILTER…] [options]

Runs the tests below packages/, samples/, scripts/, test/ and interop/ and ends with a line
"N passed, N failed". A FILTER is a file, a folder or a part of a path.

  --suite NAME        default: the suite of "npm test";
                      interop: tests with the real programs that "npm run peers" builds, and slow tests;
                      full: both, and the longest tests ("npm run test:full" resumes and reports);
                      timing: tests that assert durations, one file at a time
  --name REGEXP       only tests whose name matches
  --slowest           print the twenty slowest files and tests at the end
  --shuffle SEED      run files in a random order
  --results FILE      append one JSON line per test to a file
  --record-durations  write ${'scripts/test-durations.json'}, which orders later runs
  --help              this text

  TEST_SEED=N    repeat the random choices of an earlier run
  KEEP_TMP=1     keep the temporary directories of failed tests
  CI=true        a skipped test is a failure
`;

export interface Settings {
  root: string;
  suite: Suite;
  jobs: readonly Job[];
  namePattern: string | undefined;
  policy: SkipPolicy;
  print(line: string): void;
  /** Called after each file. */
  onOutcome?: ((outcome: FileOutcome) => Promise<void>) | undefined;
}

export interface RunResult {
  counts: Counts;
  skips: Map<string, number>;
  /** Failures, repeated at the end. */
  failures: string[];
  outcomes: FileOutcome[];
}

export async function runJobs(settings: Settings): Promise<RunResult> {
  const { jobs, suite } = settings;
  const running = new Set<string>();
  const { print, stop } = withSignsOfLife(settings.print, running);
  const endMs = performance.now() + suite.totalTimeoutMs;
  const total: RunResult = {
    counts: { passed: 0, failed: 0, skipped: 0, todo: 0 },
    skips: new Map(),
    failures: [],
    outcomes: [],
  };
  const queue = [...jobs];
  const worker = async (): Promise<void> => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
      const timeoutMs = Math.round(Math.min(suite.fileTimeoutMs, endMs - performance.now()));
      if (timeoutMs <= 0) {
        reportNotRun(job, { ...settings, print }, total);
        continue;
      }
      const label = jobLabel(job);
      running.add(label);
      const outcomes = await runTestFiles(job.files, fileOptions(job, settings, timeoutMs));
      running.delete(label);
      for (const outcome of outcomes) {
        await report(outcome, { ...settings, print }, total);
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: suite.alone ? 1 : concurrency() }, worker));
  } finally {
    stop();
  }
  return total;
}

function jobLabel({ files }: Job): string {
  const [first = '', ...others] = files;
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

function reportNotRun({ files }: Job, { suite, print }: Settings, total: RunResult): void {
  const why = `not run: the suite's ${suite.totalTimeoutMs / 60_000} minutes are over`;
  for (const file of files) {
    total.counts.failed += 1;
    print(`✖ ${file}  ${why}`);
    total.failures.push(...repeatedFailures(file, [{ title: why, where: file, text: '' }]));
  }
}

async function report(outcome: FileOutcome, settings: Settings, total: RunResult): Promise<void> {
  const { policy, print, onOutcome } = settings;
  const verdict = evaluateFile(outcome, policy);
  print(fileLine(outcome, verdict));
  if (verdict.failures.length > 0) print(`\n${failureText(outcome, verdict)}\n`);
  total.failures.push(...repeatedFailures(outcome.file, verdict.failures));
  total.counts = addCounts(total.counts, verdict.counts);
  total.outcomes.push(outcome);
  for (const [reason, count] of verdict.skips) {
    total.skips.set(reason, (total.skips.get(reason) ?? 0) + count);
  }
  await onOutcome?.(outcome);
}

const SILENCE_MAX_MS = 30_000;

/** Prints the running jobs after a while without output: a silent run looks stuck. */
function withSignsOfLife(
  print: Settings['print'],
  running: ReadonlySet<string>,
): { print: Settings['print']; stop: () => void } {
  const timer = setInterval(() => print(`… running: ${[...running].join(', ')}`), SILENCE_MAX_MS);
  return {
    print: (line) => {
      timer.refresh();
      print(line);
    },
    stop: () => clearInterval(timer),
  };
}

function fileOptions(job: Job, settings: Settings, timeoutMs: number): TestFileOptions {
  const { root, suite, namePattern, print } = settings;
  const environment = { ...suite.environment, ...clockOf(job, root) };
  return { root, timeoutMs, namePattern, environment, onProgress: print };
}

/** Tests with real programs get the true time, because those programs ignore libfaketime. */
function clockOf({ files }: Job, root: string): Record<string, string> {
  const clock = clockEnvironment();
  if (Object.keys(clock).length === 0) return {};
  return files.some((file) => usesRealPrograms(root, file)) ? {} : clock;
}

/** One process more than cores, because tests also wait. */
function concurrency(): number {
  return Math.min(8, availableParallelism() + 1);
}

const DURATIONS = 'scripts/test-durations.json';

export function readDurations(root: string): Record<string, number> {
  const path = join(root, DURATIONS);
  if (!existsSync(path)) return {};
  return JSON.parse(readFileSync(path, 'utf8')) as Record<string, number>;
}

/** Only files of at least a second, in whole seconds, so that a run on another machine changes few lines. */
function writeDurations(root: string, outcomes: readonly FileOutcome[]): void {
  const seen = new Set(outcomes.map(({ file }) => file));
  const retained = Object.entries(readDurations(root)).filter(
    ([file]) => !seen.has(file) && existsSync(join(root, file)),
  );
  const measured = outcomes
    .map(({ file, durationMs }) => [file, Math.round(durationMs / 1000)] as const)
    .filter(([, seconds]) => seconds >= 1);
  const sorted = [...retained, ...measured].toSorted(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(
    join(root, DURATIONS),
    `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`,
  );
}

async function main(): Promise<void> {
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      suite: { type: 'string', default: 'default' },
      name: { type: 'string' },
      slowest: { type: 'boolean', default: false },
      shuffle: { type: 'string' },
      results: { type: 'string' },
      'record-durations': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void process.stdout.write(HELP);
  const suite = suiteOf(values.suite);
  const root = join(import.meta.dirname, '..');
  const results = values.results ?? process.env[RESULTS_VARIABLE];
  // Tests start our programs about a hundred times, and a build halves the CPU time of a start.
  if (positionals.length === 0) await build();
  const { counts, skips, failures, outcomes } = await runJobs({
    root,
    suite,
    jobs: planJobs(selectFiles(findTestFiles(root, suite), positionals), {
      root,
      durations: readDurations(root),
      share: values.name === undefined && !suite.alone,
      shuffle: shuffleOf(values.shuffle ?? process.env[SHUFFLE_VARIABLE]),
    }),
    namePattern: values.name,
    policy: { ci: process.env.CI === 'true', tolerated: MISSING_GO },
    print,
    ...(results === undefined
      ? {}
      : { onOutcome: (outcome) => appendFile(results, jsonLines(resultLines(outcome))) }),
  });
  print('');
  for (const line of failures) print(line);
  for (const line of skipLines(skips)) print(line);
  if (values.slowest) for (const line of slowestLines(outcomes)) print(line);
  if (values['record-durations']) writeDurations(root, outcomes);
  if (counts.todo > 0) print(`${counts.todo} to do`);
  const nothingRan = counts.passed + counts.failed === 0;
  if (nothingRan) print('No test ran, which proves nothing.');
  print(closingLine(counts));
  process.exitCode = counts.failed > 0 || nothingRan ? 1 : 0;
}

function shuffleOf(seed: string | undefined): (<T>(items: readonly T[]) => T[]) | undefined {
  if (seed === undefined) return undefined;
  const number = Number(seed);
  if (!Number.isInteger(number) || number < 0) throw new Error(`--shuffle ${seed}: not a seed`);
  const random = new SeededRandom(number);
  return (items) => random.shuffle(items);
}

function suiteOf(name: string): Suite {
  if (!Object.hasOwn(suites, name)) {
    throw new Error(`no suite is called ${name}; there are: ${Object.keys(suites).join(', ')}`);
  }
  return suites[name as SuiteName];
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  }
}
