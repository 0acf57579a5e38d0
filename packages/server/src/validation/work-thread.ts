import {
  internalError,
  StatusError,
  serviceUnavailable,
  timeout,
  tooManyRequests,
} from '@tributary/apimachinery';
import { type Clock, systemClock } from '@tributary/storage';
import type { SignalSource } from '../request/cancellation.ts';
import { jobThread, type ThreadFailures, type ThreadLimits } from './job-thread.ts';

export interface WorkThread {
  /** Rejects with a Status: 429 when too much waits, 504 when it takes too long, 500 when it fails, 503 at the end. */
  run(job: string, ask: Uint8Array, waiting: SignalSource): Promise<Uint8Array>;
  /** Ends the thread; what waits is refused. */
  close(): Promise<void>;
}

export interface WorkThreadOptions {
  readonly name: string;
  /** A module that calls `serveJobs`. */
  readonly entry: URL;
  readonly limits?: Partial<ThreadLimits> | undefined;
  readonly observe?: ValidationObserver | undefined;
  /** Default: that of the system. */
  readonly clock?: Pick<Clock, 'schedule'> | undefined;
}

export interface ValidationObserver {
  completed(tookMs: number): void;
  /** With the code of the answer, or `left` where nobody waits for one any more. */
  failed(code: string): void;
  /** How many wait is asked for when somebody wants to know. */
  observeWaiting(waiting: () => number): void;
}

/** The most that rules may cost is about half a second of work, or a few seconds in very many small pieces. */
export const workLimits: ThreadLimits = {
  idleMs: 10_000,
  jobMs: 30_000,
  jobs: 64,
  bytes: 64 * 2 ** 20,
  heapMb: 512,
};

const RETRY_AFTER_SECONDS = 1;

const failures: ThreadFailures = {
  full: () =>
    tooManyRequests(
      'too many objects wait to be judged by expensive rules, please try again later',
      RETRY_AFTER_SECONDS,
    ),
  late: (seconds) => timeout(`judging the object took longer than ${seconds} seconds`),
  failed: (why, cause) =>
    internalError(new Error(`the object could not be judged: ${why}`, { cause })),
  closing: () => serviceUnavailable('the server is shutting down'),
};

/** Objects are judged here when that takes long. */
export function workThread({
  name,
  entry,
  limits,
  observe,
  clock = systemClock,
}: WorkThreadOptions): WorkThread {
  const thread = jobThread({
    name,
    entry,
    clock,
    limits: { ...workLimits, ...limits },
    failures,
  });
  observe?.observeWaiting(() => thread.waiting);
  return {
    async run(job, ask, { signal }) {
      const startMs = performance.now();
      try {
        const output = await thread.run(job, ask, { bytes: ask.length, signal });
        observe?.completed(performance.now() - startMs);
        return output as Uint8Array;
      } catch (error) {
        observe?.failed(signal.aborted ? 'left' : codeOf(error));
        throw error;
      }
    },
    close: () => thread.close(),
  };
}

function codeOf(error: unknown): string {
  return error instanceof StatusError ? String(error.code) : '500';
}
