/** Starts a program in its own process group, waits until it is ready, and always ends it. */
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
  /** Added to this process's environment; undefined removes a variable. */
  env?: Readonly<Record<string, string | undefined>>;
  cwd?: string;
  /** What errors and logs call it; the command when absent. */
  name?: string;
  /** Polled until true. Without it a process is ready once it runs. */
  ready?: ReadyCheck;
  readyTimeoutMs?: number;
  /** How long SIGTERM may take before SIGKILL. */
  graceMs?: number;
  /** Receives both outputs, for those who follow more of it than the log keeps. */
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
  /** Settles when the process itself is gone, whoever ended it, and its log is complete. Never rejects. */
  readonly exited: Promise<Exit>;
  /** What it wrote to both outputs, the oldest part dropped beyond a bound. */
  log(): string;
  /** The first match in the log, now or within the time. */
  waitForLog(pattern: RegExp, timeoutMs?: number): Promise<RegExpExecArray>;
  /** SIGTERM to the group, then SIGKILL after the grace; returns when no member is left. */
  stop(): Promise<Exit>;
  /** A signal to the whole group, without waiting. */
  kill(signal: NodeJS.Signals): void;
}

/** Bounds that cost time only where something hangs, so a busy machine has room. */
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
    logShown = true; // It is in the message of the error.
    await started.stop();
    throw error;
  }
  return started;
}

const running = new Set<StartedProcess>();
let listening = false;

/** The runner ends a test file that is out of time with SIGTERM: no hook runs then, and the logs are wanted most. */
function showLogsOnTermination(): void {
  if (listening) return;
  listening = true;
  process.once('SIGTERM', () => {
    for (const started of running) process.stderr.write(`${describeLog(started)}\n`);
    // Where node:test does not listen as well, this listener has replaced the default: dying.
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

/** A runner's own variables would turn a child that runs tests into part of this run. */
function childEnvironment(env: ProcessOptions['env']): NodeJS.ProcessEnv {
  return { ...process.env, NODE_TEST_CONTEXT: undefined, ...env };
}

async function pidOf(child: ChildProcess, name: string): Promise<number> {
  if (child.pid !== undefined) return child.pid;
  const [error] = await once(child, 'error');
  throw new Error(`${name} could not be started: ${String(error.message)}`, { cause: error });
}

/** Its last words may arrive after the exit; a grandchild that keeps the pipe open is not waited for long. */
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
      // Refused connections are what not being ready looks like. That the time was over says less than what was before.
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
