/** `npm test`: every test file of a suite, a few at a time, each in its own process. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MISSING_GO } from '../test/harness/prerequisites.ts';
import { runTestFile, type TestFileOptions } from './test-file.ts';
import { findTestFiles, type Suite, type SuiteName, selectFiles, suites } from './test-plan.ts';
import {
  addCounts,
  type Counts,
  closingLine,
  failureText,
  fileLine,
  judgeFile,
  repeatedFailures,
  type SkipPolicy,
  skipLines,
} from './test-report.ts';

const HELP = `Usage: npm test -- [FILTER…] [options]

Runs the tests below packages/, samples/, scripts/, test/ and interop/ and ends with a line
"N passed, N failed". A FILTER is a file, a folder or a part of a path.

  --suite NAME   default, or interop: against the real programs that "npm run peers" builds, and what is slow,
                 or interop-full: the same with everything that takes long
  --name REGEXP  only tests whose name matches
  --help         this text

  TEST_SEED=N    repeat the random choices of an earlier run
  KEEP_TMP=1     keep the temporary directories of failed tests
  CI=true        a skipped test is a failure
`;

export interface Settings {
  root: string;
  suite: Suite;
  files: readonly string[];
  namePattern: string | undefined;
  policy: SkipPolicy;
  print(line: string): void;
}

export interface RunResult {
  counts: Counts;
  skips: Map<string, number>;
  /** What failed, to be said again at the end. */
  failures: string[];
}

export async function runFiles(settings: Settings): Promise<RunResult> {
  const { files, suite, policy } = settings;
  const running = new Set<string>();
  const { print, stop } = withSignsOfLife(settings.print, running);
  const endMs = performance.now() + suite.totalTimeoutMs;
  const total: RunResult = {
    counts: { passed: 0, failed: 0, skipped: 0, todo: 0 },
    skips: new Map(),
    failures: [],
  };
  const queue = [...files];
  const worker = async (): Promise<void> => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      const timeoutMs = Math.round(Math.min(suite.fileTimeoutMs, endMs - performance.now()));
      if (timeoutMs <= 0) {
        total.counts.failed += 1;
        const why = `not run: the suite's ${suite.totalTimeoutMs / 60_000} minutes are over`;
        print(`✖ ${file}  ${why}`);
        total.failures.push(...repeatedFailures(file, [{ title: why, where: file, text: '' }]));
        continue;
      }
      running.add(file);
      const outcome = await runTestFile(file, fileOptions(settings, timeoutMs));
      running.delete(file);
      const verdict = judgeFile(outcome, policy);
      print(fileLine(outcome, verdict));
      if (verdict.failures.length > 0) print(`\n${failureText(outcome, verdict)}\n`);
      total.failures.push(...repeatedFailures(file, verdict.failures));
      total.counts = addCounts(total.counts, verdict.counts);
      for (const [reason, count] of verdict.skips) {
        total.skips.set(reason, (total.skips.get(reason) ?? 0) + count);
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency() }, worker));
  } finally {
    stop();
  }
  return total;
}

const SILENCE_MAX_MS = 30_000;

/** Says what runs when nothing else was said for a while: a silent run looks like a stuck one. */
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

function fileOptions(settings: Settings, timeoutMs: number): TestFileOptions {
  const { root, suite, namePattern, print } = settings;
  return { root, timeoutMs, namePattern, environment: suite.environment, onProgress: print };
}

/** More would make tests that measure time measure each other. */
function concurrency(): number {
  return Math.min(4, Math.max(2, availableParallelism()));
}

async function main(): Promise<void> {
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      suite: { type: 'string', default: 'default' },
      name: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void process.stdout.write(HELP);
  const suite = suiteOf(values.suite);
  const root = join(import.meta.dirname, '..');
  const { counts, skips, failures } = await runFiles({
    root,
    suite,
    files: selectFiles(findTestFiles(root, suite), positionals),
    namePattern: values.name,
    policy: { ci: process.env.CI === 'true', tolerated: MISSING_GO },
    print,
  });
  print('');
  for (const line of failures) print(line);
  for (const line of skipLines(skips)) print(line);
  if (counts.todo > 0) print(`${counts.todo} to do`);
  const nothingRan = counts.passed + counts.failed === 0;
  if (nothingRan) print('No test ran, which proves nothing.');
  print(closingLine(counts));
  process.exitCode = counts.failed > 0 || nothingRan ? 1 : 0;
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
