/** Runs test files in a process and evaluates the result of each. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sourceFlags } from '../packages/server/launcher.js';
import { PROGRESS_MARK } from '../test/harness/progress.ts';
import { forgetGroup, reapAtExit } from '../test/harness/reaper.ts';
import { parseRecords, recordsByFile, type TestRecord, type TestResult } from './test-record.ts';
import { RECORDS_VARIABLE } from './test-reporter.ts';

export interface TestFileOptions {
  root: string;
  timeoutMs: number;
  /** Runs only tests whose name matches. */
  namePattern?: string | undefined;
  /** Added to the environment of this process. */
  environment?: Readonly<Record<string, string>> | undefined;
  /** Called with lines that a test prints during the run: see harness/progress. */
  onProgress(line: string): void;
}

export interface FileOutcome {
  /** Relative to the root. */
  file: string;
  results: TestResult[];
  /** Problems of the file itself: it did not load, did not end, or had no tests. */
  problems: string[];
  diagnostics: string[];
  /** The end of its standard output and standard error. */
  output: string;
  durationMs: number;
}

const REPORTER = join(import.meta.dirname, 'test-reporter.ts');
const BATCH = join(import.meta.dirname, 'test-batch.ts');
const GRACE_MS = 5_000;
const HEAD_START_MS = 15_000;
const OUTPUT_MAX = 64 * 1024;

/** Runs files in one process. When it dies, the remaining files run again, each alone. */
export async function runTestFiles(
  files: readonly string[],
  options: TestFileOptions,
): Promise<FileOutcome[]> {
  const [file, ...others] = files;
  if (file === undefined) return [];
  const start = performance.now();
  const { records, ended } = await runProcess(files, options);
  if (others.length === 0) {
    return [{ file, ...problemsOf(records, ended), durationMs: performance.now() - start }];
  }
  const { outcomes, rest } = sharedOutcomes(files, records, ended);
  const alone: FileOutcome[] = [];
  for (const left of rest) alone.push(...(await runTestFiles([left], options)));
  blameSharing(alone, ended);
  return [...outcomes, ...alone];
}

/** A file that ends a shared process and passes alone is still a failure. */
function blameSharing(alone: readonly FileOutcome[], ended: Ended): void {
  const [first] = alone;
  const hasFailure = alone.some(
    ({ problems, results }) =>
      problems.length > 0 || results.some(({ outcome }) => outcome === 'failed'),
  );
  if (first === undefined || hasFailure) return;
  const how = ended.signal ?? `code ${ended.code}`;
  const files = alone.map(({ file }) => file).join(', ');
  first.problems.push(`passes alone, but a process it shares ended with ${how} before: ${files}`);
}

async function runProcess(
  files: readonly string[],
  options: TestFileOptions,
): Promise<{ records: TestRecord[]; ended: Ended }> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-test-'));
  const recordsFile = join(folder, 'records');
  try {
    const ended = await execute(files, { ...options, recordsFile });
    const records = parseRecords(await readFile(recordsFile, 'utf8').catch(() => ''));
    return { records, ended };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Set when the timeout ended the process. */
  timedOutMs?: number | undefined;
  output: string;
}

/** Messages about everything that can be wrong with a file besides a failed test. */
export function problemsOf(
  records: readonly TestRecord[],
  ended: Ended,
): Pick<FileOutcome, 'results' | 'problems' | 'diagnostics' | 'output'> {
  const results = records.filter((record) => record.type === 'result');
  const problems: string[] = [];
  if (ended.timedOutMs !== undefined) {
    problems.push(`did not end within ${ended.timedOutMs} ms; ${unfinished(records)}`);
  } else if (ended.signal !== null) {
    problems.push(`ended by ${ended.signal}; ${unfinished(records)}`);
  } else if (ended.code !== 0 && !results.some(({ outcome }) => outcome === 'failed')) {
    problems.push(`ended with code ${ended.code} outside of a test`);
  } else if (!records.some(({ type }) => type === 'end')) {
    const what = records.length === 0 ? 'has no tests, or ' : '';
    problems.push(`${what}called process.exit before they ended`);
  }
  const diagnostics = records
    .filter((record) => record.type === 'diagnostic')
    .map(({ message }) => message);
  return { results, problems, diagnostics, output: ended.output };
}

/** Outcomes of a shared process: the files that completed, and those that did not. */
export function sharedOutcomes(
  files: readonly string[],
  records: readonly TestRecord[],
  ended: Ended,
): { outcomes: FileOutcome[]; rest: string[] } {
  const byFile = recordsByFile(records, files);
  const isOver = (file: string) => byFile.get(file)?.some(({ type }) => type === 'end') ?? false;
  const over = files.filter(isOver);
  const rest = files.filter((file) => !isOver(file));
  const hasFailure = records.some(
    (record) => record.type === 'result' && record.outcome === 'failed',
  );
  const fine = { code: 0, signal: null, output: ended.output };
  const outcomes = over.map((file, index): FileOutcome => {
    // When every file has completed and the process still failed, the last file is the best guess.
    const isBlamed = rest.length === 0 && index === over.length - 1;
    const how = isBlamed ? { ...ended, code: hasFailure ? 0 : ended.code } : fine;
    const outcome = problemsOf(byFile.get(file) ?? [], how);
    if (outcome.results.every(({ path, outcome }) => path.length === 0 && outcome === 'passed')) {
      outcome.problems.push('has no tests');
    }
    const durationMs = outcome.results.find(({ path }) => path.length === 0)?.durationMs ?? 0;
    return { file, ...outcome, durationMs };
  });
  return { outcomes, rest };
}

function unfinished(records: readonly TestRecord[]): string {
  const open: string[] = [];
  for (const record of records) {
    if (record.type === 'begin') open.push(record.name);
    if (record.type === 'over') open.splice(open.lastIndexOf(record.name), 1);
  }
  if (open.length > 0) return `unfinished: ${open.join(', ')}`;
  return 'every started test has ended: an open handle keeps the process alive';
}

type Execution = TestFileOptions & { recordsFile: string };

async function execute(files: readonly string[], options: Execution): Promise<Ended> {
  const { root, timeoutMs, namePattern, environment, recordsFile } = options;
  const flags = [
    ...sourceFlags(),
    ...(await ownFlags(root, files)),
    `--import=${REPORTER}`,
    `--test-reporter=${REPORTER}`,
    '--test-reporter-destination=stdout',
    // Earlier than the timeout of the file, so that a test that runs out of time still cleans up and shows its
    // logs.
    `--test-timeout=${Math.round(timeoutMs - Math.min(HEAD_START_MS, timeoutMs / 2))}`,
    ...(namePattern === undefined ? [] : [`--test-name-pattern=${namePattern}`]),
  ];
  const program = files.length === 1 ? files : [BATCH, ...files];
  const child = spawn(process.execPath, [...flags, ...program], {
    cwd: root,
    env: { ...process.env, ...environment, [RECORDS_VARIABLE]: recordsFile },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // A process group of its own, so that a timeout ends all of it.
  });
  const output = collectOutput(child, options);
  const timeout = endAfter(child, timeoutMs);
  if (child.pid !== undefined) reapAtExit(child.pid); // Ctrl-C reaches only this process.
  try {
    const ended = await outcomeOf(child);
    return { ...ended, output: output(), ...(timeout.fired() ? { timedOutMs: timeoutMs } : {}) };
  } finally {
    timeout.cancel();
    signalGroup(child, 'SIGKILL'); // Processes that the file left behind.
    if (child.pid !== undefined) forgetGroup(child.pid);
  }
}

/** A file can name its Node flags, as Node's own tests do: `// Flags: --expose-gc`. */
async function ownFlags(root: string, [file, ...others]: readonly string[]): Promise<string[]> {
  if (file === undefined || others.length > 0) return [];
  const source = await readFile(join(root, file), 'utf8');
  const [, flags] = /^\/\/ Flags: (--.+)$/m.exec(source) ?? [];
  return flags?.trim().split(/\s+/) ?? [];
}

function outcomeOf(child: ChildProcess): Promise<Pick<Ended, 'code' | 'signal'>> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      // A process left behind may hold the pipes open; all output of the file has arrived by then.
      const timer = setTimeout(() => resolve({ code, signal }), 500);
      child.once('close', () => {
        clearTimeout(timer);
        resolve({ code, signal });
      });
    });
  });
}

function collectOutput(child: ChildProcess, { onProgress }: TestFileOptions): () => string {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on('line', (line) => {
      output = `${output}${line}\n`.slice(-OUTPUT_MAX);
      if (line.startsWith(PROGRESS_MARK)) onProgress(line);
    });
  }
  return () => output;
}

/** SIGTERM first: node:test then still reports the pending tests. */
function endAfter(child: ChildProcess, timeoutMs: number): { fired(): boolean; cancel(): void } {
  let fired = false;
  let killTimer: NodeJS.Timeout | undefined;
  const timer = setTimeout(() => {
    fired = true;
    signalGroup(child, 'SIGTERM');
    killTimer = setTimeout(() => signalGroup(child, 'SIGKILL'), GRACE_MS);
  }, timeoutMs);
  return {
    fired: () => fired,
    cancel: () => {
      clearTimeout(timer);
      clearTimeout(killTimer);
    },
  };
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The process group has already ended.
  }
}
