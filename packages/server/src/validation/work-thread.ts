import {
  internalError,
  StatusError,
  serviceUnavailable,
  timeout,
  tooManyRequests,
} from '@tributary/apimachinery';
import { type Clock, systemClock } from '@tributary/storage';
import type { SignalSource } from '../request/cancellation.ts';
import { JobThread, type ThreadFailures, type ThreadLimits } from './job-thread.ts';

export interface WorkThread {
  /** Rejects with a Status: 429 for a full queue, 504 for a timeout, 500 for a failure, 503 at shutdown. */
  run(job: string, input: Uint8Array, cancellation: SignalSource): Promise<Uint8Array>;
  /** Ends the thread and rejects queued jobs. */
  close(): Promise<void>;
}

interface WorkThreadOptions {
  readonly name: string;
  /** A module that calls `serveJobs`. */
  readonly entry: URL;
  readonly limits?: Partial<ThreadLimits> | undefined;
  readonly observe?: ValidationObserver | undefined;
  /** Default: the system's clock. */
  readonly clock?: Pick<Clock, 'schedule'> | undefined;
}

export interface ValidationObserver {
  completed(tookMs: number): void;
  /** Called with the response code, or `left` when the client disconnected. */
  failed(code: string): void;
  /** Receives a function that returns the number of queued jobs, for the metric. */
  observeWaiting(waiting: () => number): void;
}

/** The cost limit of all rules is about half a second of work, or a few seconds in very many small evaluations. */
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
      'too many objects are waiting for validation by expensive rules, please try again later',
      RETRY_AFTER_SECONDS,
    ),
  late: (seconds) => timeout(`validation of the object took longer than ${seconds} seconds`),
  failed: (reason, cause) =>
    internalError(new Error(`the object could not be validated: ${reason}`, { cause })),
  closing: () => serviceUnavailable('the server is shutting down'),
};

/** Runs expensive validation. */
export function workThread({
  name,
  entry,
  limits,
  observe,
  clock = systemClock,
}: WorkThreadOptions): WorkThread {
  const thread = new JobThread({
    name,
    entry,
    clock,
    limits: { ...workLimits, ...limits },
    failures,
  });
  observe?.observeWaiting(() => thread.waiting);
  return {
    async run(job, input, { signal }) {
      const startMs = performance.now();
      try {
        const output = await thread.run(job, input, { bytes: input.length, signal });
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
