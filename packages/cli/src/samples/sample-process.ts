import { spawn } from 'node:child_process';
import type { Clock } from '@tributary/client';
import { CONTROL_PIPE } from '@tributary/server/program';
import { lastWords } from './last-words.ts';
import { onLines } from './output-lines.ts';
import type { SampleLog } from './sample-log.ts';

export interface SampleProcess {
  /** The port it serves at; undefined when it ends before. */
  readonly listening: Promise<number | undefined>;
  /** Why it is gone, in words. Never rejects. */
  readonly ended: Promise<string>;
  /** SIGTERM, and SIGKILL when that takes too long. Resolves when it is gone. */
  stop(): Promise<void>;
}

/** Shorter than the time after which supervisors kill a control plane. */
export const STOP_MS = 3_000;
const LISTENING = /is (?:listening|ready) at https:\S*:(\d+)$/;

/**
 * A program of ours as a process of its own. Its standard input is the pipe by whose end it knows that this process is
 * gone, however that happened.
 */
export function startSampleProcess(
  { file, args }: { readonly file: string; readonly args: readonly string[] },
  { log, clock }: { readonly log: SampleLog; readonly clock: Pick<Clock, 'schedule'> },
): SampleProcess {
  const child = spawn(process.execPath, [file, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, [CONTROL_PIPE]: 'stdin' },
    // Ctrl-C at the terminal is for us: we stop it, in our order.
    detached: true,
  });
  const listening = Promise.withResolvers<number | undefined>();
  const ended = Promise.withResolvers<string>();
  let words = '';
  onLines(child.stdout, (line) => {
    log.line(line);
    const [, port] = LISTENING.exec(line) ?? [];
    if (port !== undefined) listening.resolve(Number(port));
  });
  onLines(child.stderr, (line) => {
    log.problem(line);
    words = lastWords(words, line);
  });
  child.stdin.on('error', () => {}); // nothing is ever written
  const end = (how: string) => {
    listening.resolve(undefined);
    ended.resolve(how);
  };
  child.once('error', (error) => end(`could not be started: ${error.message}`));
  child.once('close', (code, signal) => end(ending({ code, signal }, words)));
  return {
    listening: listening.promise,
    ended: ended.promise,
    stop: async () => {
      child.kill('SIGTERM');
      const cancelTimer = clock.schedule(STOP_MS, () => child.kill('SIGKILL'));
      await ended.promise;
      cancelTimer();
    },
  };
}

function ending(
  { code, signal }: { code: number | null; signal: NodeJS.Signals | null },
  words: string,
): string {
  const how = signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
  return words === '' ? how : `${how}, and its last words were: ${words}`;
}
