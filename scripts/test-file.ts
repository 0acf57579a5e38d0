/** Runs one test file in a process of its own and judges how it went. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sourceFlags } from '../packages/server/launcher.js';
import { PROGRESS_MARK } from '../test/harness/progress.ts';
import { forgetGroup, reapAtExit } from '../test/harness/reaper.ts';
import { parseRecords, type TestRecord, type TestResult } from './test-record.ts';
import { RECORDS_VARIABLE } from './test-reporter.ts';

export interface TestFileOptions {
  root: string;
  timeoutMs: number;
  /** Only tests whose name matches. */
  namePattern?: string | undefined;
  /** Added to this process's environment. */
  environment?: Readonly<Record<string, string>> | undefined;
  /** Receives lines that a test prints for the person waiting: see harness/progress. */
  onProgress(line: string): void;
}

export interface FileOutcome {
  /** Relative to the root. */
  file: string;
  results: TestResult[];
  /** Problems of the file itself: it did not load, did not end, had no tests. */
  problems: string[];
  diagnostics: string[];
  /** The end of what it wrote to both outputs. */
  output: string;
  durationMs: number;
}

const REPORTER = join(import.meta.dirname, 'test-reporter.ts');
const GRACE_MS = 5_000;
const HEAD_START_MS = 15_000;
const OUTPUT_MAX = 64 * 1024;

export async function runTestFile(file: string, options: TestFileOptions): Promise<FileOutcome> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-test-'));
  const recordsFile = join(folder, 'records');
  const start = performance.now();
  try {
    const ended = await execute(file, { ...options, recordsFile });
    const records = parseRecords(await readFile(recordsFile, 'utf8').catch(() => ''));
    return { file, ...judge(records, ended), durationMs: performance.now() - start };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The time was over and we ended it. */
  timedOutMs?: number;
  output: string;
}

/** Everything a file can do wrong besides failing a test, each in words. */
export function judge(
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
    problems.push(`${what}called process.exit before they were over`);
  }
  const diagnostics = records
    .filter((record) => record.type === 'diagnostic')
    .map(({ message }) => message);
  return { results, problems, diagnostics, output: ended.output };
}

function unfinished(records: readonly TestRecord[]): string {
  const open: string[] = [];
  for (const record of records) {
    if (record.type === 'begin') open.push(record.name);
    if (record.type === 'over') open.splice(open.lastIndexOf(record.name), 1);
  }
  if (open.length > 0) return `unfinished: ${open.join(', ')}`;
  return 'every test that began was over: something kept the process alive';
}

type Execution = TestFileOptions & { recordsFile: string };

async function execute(file: string, options: Execution): Promise<Ended> {
  const { root, timeoutMs, namePattern, environment, recordsFile } = options;
  const flags = [
    ...sourceFlags(),
    ...(await ownFlags(join(root, file))),
    `--import=${REPORTER}`,
    `--test-reporter=${REPORTER}`,
    '--test-reporter-destination=stdout',
    // Earlier than the file's own: a test that runs out of time still cleans up and shows its logs.
    `--test-timeout=${Math.round(timeoutMs - Math.min(HEAD_START_MS, timeoutMs / 2))}`,
    ...(namePattern === undefined ? [] : [`--test-name-pattern=${namePattern}`]),
  ];
  const child = spawn(process.execPath, [...flags, file], {
    cwd: root,
    env: { ...process.env, ...environment, [RECORDS_VARIABLE]: recordsFile },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // Its own group, so that a timeout ends all of it.
  });
  const output = collectOutput(child, options);
  const timeout = endAfter(child, timeoutMs);
  if (child.pid !== undefined) reapAtExit(child.pid); // Ctrl-C reaches only this process.
  try {
    const ended = await outcomeOf(child);
    return { ...ended, output: output(), ...(timeout.fired() ? { timedOutMs: timeoutMs } : {}) };
  } finally {
    timeout.cancel();
    signalGroup(child, 'SIGKILL'); // Whatever the file left behind.
    if (child.pid !== undefined) forgetGroup(child.pid);
  }
}

/** A file may say with which flags of Node it wants to run, as Node's own tests do: `// Flags: --expose-gc`. */
async function ownFlags(path: string): Promise<string[]> {
  const [, flags] = /^\/\/ Flags: (--.+)$/m.exec(await readFile(path, 'utf8')) ?? [];
  return flags?.trim().split(/\s+/) ?? [];
}

function outcomeOf(child: ChildProcess): Promise<Pick<Ended, 'code' | 'signal'>> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      // A process the test left behind may hold the pipes open; the last words of the file are in by then.
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

/** SIGTERM first: node:test then still reports which tests were pending. */
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
    // The group is gone, which is what was wanted.
  }
}
