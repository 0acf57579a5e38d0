/** Starts a program in its own process group, waits until it is ready, and ends it with the test. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { LogBuffer } from './log-buffer.ts';
import { groupMembers, signalGroup } from './process-group.ts';
import type { ReadyCheck } from './ready.ts';
import { forgetGroup, reapAtExit } from './reaper.ts';
import { defer, type TestScope } from './scope.ts';

export interface ProcessOptions {
  command: string;
  args?: readonly string[];
  /** Added to the environment of this process; undefined removes a variable. */
  env?: Readonly<Record<string, string | undefined>>;
  cwd?: string;
  /** Its name in errors and logs; the command by default. */
  name?: string;
  /** Polled until true. Without it, a process is ready when it runs. */
  ready?: ReadyCheck;
  readyTimeoutMs?: number;
  /** Time between SIGTERM and SIGKILL. */
  graceMs?: number;
  /** Receives both outputs, including what the bounded log drops. */
  onOutput?: (chunk: string) => void;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface StartedProcess extends AsyncDisposable {
  readonly name: string;
  /** Also the number of its process group. */
  readonly pid: number;
  /** Resolves when the process has ended and its log is complete. Never rejects. */
  readonly exited: Promise<Exit>;
  /** Both outputs; the oldest part is dropped beyond a bound. */
  log(): string;
  /** Resolves with the first match in the log; rejects at the timeout. */
  waitForLog(pattern: RegExp, timeoutMs?: number): Promise<RegExpExecArray>;
  /** Sends SIGTERM to the group, then SIGKILL after the grace; resolves when no member is left. */
  stop(): Promise<Exit>;
  /** Sends a signal to the whole group, without waiting. */
  kill(signal: NodeJS.Signals): void;
}

/** Deadlines that cost time only when something hangs, so they leave room for a busy machine. */
const READY_TIMEOUT_MS = 60_000;
const GRACE_MS = 15_000;
const LAST_WORDS_MS = 1_000;
const POLL_MS = 25;
const TAIL_LINES = 60;

export async function startProcess(t: TestScope, options: ProcessOptions): Promise<StartedProcess> {
  const started = await spawnGroup(options);
  let logShown = false;
  running.add(started);
  showLogsOnTermination();
  defer(t, async ({ failed }) => {
    await started.stop();
    running.delete(started);
    if (failed && !logShown) process.stderr.write(`${describeLog(started)}\n`);
  });
  try {
    await waitUntilReady(started, options);
  } catch (error) {
    logShown = true; // The error message contains it.
    await started.stop();
    throw error;
  }
  return started;
}

const running = new Set<StartedProcess>();
let listening = false;

/** The runner ends a test file at its timeout with SIGTERM. No hook runs then, so this listener prints the logs. */
function showLogsOnTermination(): void {
  if (listening) return;
  listening = true;
  process.once('SIGTERM', () => {
    for (const started of running) process.stderr.write(`${describeLog(started)}\n`);
    // Where node:test has no listener, this one has replaced the default action.
    if (process.listenerCount('SIGTERM') === 0) process.kill(process.pid, 'SIGTERM');
  });
}

async function spawnGroup(options: ProcessOptions): Promise<StartedProcess> {
  const { command, args = [], cwd, graceMs = GRACE_MS } = options;
  const name = options.name ?? command;
  const child = spawn(command, args, {
    ...(cwd === undefined ? {} : { cwd }),
    env: childEnvironment(options.env),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const log = new LogBuffer();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      log.append(chunk);
      options.onOutput?.(chunk);
    });
  }
  const exited = exitOf(child);
  const pid = await pidOf(child, name);
  reapAtExit(pid);

  let stopping: Promise<Exit> | undefined;
  const stop = (): Promise<Exit> => {
    stopping ??= endGroup({ group: pid, exited, graceMs });
    return stopping;
  };
  const started: StartedProcess = {
    name,
    pid,
    exited,
    log: () => log.text(),
    waitForLog: (pattern, timeoutMs = READY_TIMEOUT_MS) => waitForLog(started, pattern, timeoutMs),
    stop,
    kill: (signal) => signalGroup(pid, signal),
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
  return started;
}

/** A runner's variables would make a child that runs tests a part of this run. */
function childEnvironment(env: ProcessOptions['env']): NodeJS.ProcessEnv {
  return { ...process.env, NODE_TEST_CONTEXT: undefined, ...env };
}

async function pidOf(child: ChildProcess, name: string): Promise<number> {
  if (child.pid !== undefined) return child.pid;
  const [error] = await once(child, 'error');
  throw new Error(`${name} could not be started: ${String(error.message)}`, { cause: error });
}

/** Output may arrive after the exit; a grandchild that keeps the pipe open is not awaited for long. */
function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      const timer = setTimeout(() => resolve({ code, signal }), LAST_WORDS_MS);
      child.once('close', () => {
        clearTimeout(timer);
        resolve({ code, signal });
      });
    });
  });
}

interface Group {
  group: number;
  exited: Promise<Exit>;
  graceMs: number;
}

async function endGroup({ group, exited, graceMs }: Group): Promise<Exit> {
  signalGroup(group, 'SIGTERM');
  const killAt = Date.now() + graceMs;
  let killed = false;
  while (groupMembers(group).length > 0) {
    if (!killed && Date.now() >= killAt) {
      signalGroup(group, 'SIGKILL');
      killed = true;
    }
    await sleep(POLL_MS);
  }
  forgetGroup(group);
  return exited;
}

async function waitUntilReady(started: StartedProcess, options: ProcessOptions): Promise<void> {
  const { ready, readyTimeoutMs = READY_TIMEOUT_MS } = options;
  if (ready === undefined) return;
  const deadline = AbortSignal.timeout(readyTimeoutMs);
  const early = exitFlag(started);
  let lastError: unknown;
  while (!deadline.aborted) {
    if (early.exit !== undefined) throw endedEarly(started, early.exit);
    try {
      if (await ready({ log: started.log(), pid: started.pid, signal: deadline })) return;
    } catch (error) {
      // A refused connection means that the process is not ready. The last error before the deadline says more than
      // the deadline.
      if (!deadline.aborted || lastError === undefined) lastError = error;
    }
    await sleep(POLL_MS);
  }
  const why = lastError instanceof Error ? `: ${lastError.message}` : '';
  throw new Error(
    `${started.name} was not ready after ${readyTimeoutMs} ms${why}\n${describeLog(started)}`,
    { cause: lastError },
  );
}

async function waitForLog(
  started: StartedProcess,
  pattern: RegExp,
  timeoutMs: number,
): Promise<RegExpExecArray> {
  const deadline = Date.now() + timeoutMs;
  const early = exitFlag(started);
  for (;;) {
    const over = early.exit; // Read before the log, which is complete when this is set.
    const match = new RegExp(pattern, pattern.flags.replace(/[gy]/g, '')).exec(started.log());
    if (match !== null) return match;
    if (over !== undefined) throw endedEarly(started, over);
    if (Date.now() >= deadline) {
      const what = `${started.name} did not write ${pattern} within ${timeoutMs} ms`;
      throw new Error(`${what}\n${describeLog(started)}`);
    }
    await sleep(POLL_MS);
  }
}

function exitFlag(started: StartedProcess): { exit: Exit | undefined } {
  const flag: { exit: Exit | undefined } = { exit: undefined };
  void started.exited.then((exit) => {
    flag.exit = exit;
  });
  return flag;
}

function endedEarly(started: StartedProcess, { code, signal }: Exit): Error {
  const how = signal === null ? `with code ${code}` : `by ${signal}`;
  return new Error(`${started.name} ended early ${how}\n${describeLog(started)}`);
}

function describeLog(started: StartedProcess): string {
  const lines = started.log().trimEnd().split('\n');
  const shown = lines.slice(-TAIL_LINES);
  const title =
    shown.length < lines.length ? `last ${shown.length} of ${lines.length} lines` : 'log';
  const body = shown.map((line) => `  | ${line}`).join('\n');
  return `--- ${started.name}, ${title}:\n${body}\n---`;
}
