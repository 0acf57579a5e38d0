import { Worker } from 'node:worker_threads';
import type { Clock } from '@tributary/client';
import type { ThreadAnswer, ThreadQuestion } from './openapi-worker.ts';
import { ownBuffers } from './own-buffers.ts';
import type { JobName, ThreadJobs } from './thread-jobs.ts';

/** Reads and merges documents outside of the event loop. */
export interface DocumentThread {
  /**
   * One after the other. Rejects with what is wrong with a document, in words. Bytes that are given away are gone
   * for whoever asked; others are copied.
   */
  run<Name extends JobName>(
    job: Name,
    ask: ThreadJobs[Name]['ask'],
    bytes?: 'copied' | 'given-away',
  ): Promise<ThreadJobs[Name]['answer']>;
  close(): Promise<void>;
}

/** Beside this file, as source or as built. */
const ENTRY = new URL(
  import.meta.url.endsWith('.ts') ? './openapi-worker.ts' : './openapi-worker.js',
  import.meta.url,
);

/** A thread and what it remembers take memory: without work for this long it ends. */
export const IDLE_MS = 10_000;
/** Of one job; the largest documents that are accepted take a few seconds. */
export const JOB_MS_MAX = 60_000;
/** Waiting jobs hold documents; whoever comes then tries again later. */
export const JOBS_MAX = 64;
/** Enough for the largest document of some servers; one that needs more ends the thread and not the process. */
const HEAP_MB_MAX = 1024;

interface Job {
  readonly name: JobName;
  readonly ask: unknown;
  readonly transfer: readonly ArrayBuffer[];
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

interface Running {
  readonly worker: Worker;
  job: Job | undefined;
  id: number;
}

/** There only while there is something to do. */
export function documentThread(
  clock: Pick<Clock, 'schedule'>,
  { heapMbMax = HEAP_MB_MAX }: { readonly heapMbMax?: number } = {},
): DocumentThread {
  const waiting: Job[] = [];
  let running: Running | undefined;
  let cancelTimer = () => {};
  let closed = false;

  const start = (): Running => {
    const worker = new Worker(ENTRY, {
      name: 'tributary-openapi',
      resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
    });
    const started: Running = { worker, job: undefined, id: 0 };
    worker.unref();
    worker.on('message', (answer: ThreadAnswer) => {
      if (answer.id === started.id) settle(started, answer);
    });
    worker.on('error', (error) => give(started, asError(error)));
    worker.on('exit', (code) => give(started, new Error(`the thread ended with ${code}`)));
    return started;
  };

  const next = (): void => {
    if (running?.job !== undefined) return;
    cancelTimer();
    const job = waiting.shift();
    if (job === undefined) {
      cancelTimer = clock.schedule(IDLE_MS, () => void stop());
      return;
    }
    running ??= start();
    const current = running;
    current.job = job;
    current.id += 1;
    current.worker.ref();
    cancelTimer = clock.schedule(JOB_MS_MAX, () => {
      give(current, new Error(`reading took longer than ${JOB_MS_MAX / 1000} seconds`));
    });
    const question: ThreadQuestion = { id: current.id, job: job.name, ask: job.ask };
    current.worker.postMessage(question, job.transfer);
  };

  const settle = (current: Running, answer: ThreadAnswer): void => {
    const { job } = current;
    current.job = undefined;
    current.worker.unref();
    if (answer.outcome === 'done') job?.resolve(answer.answer as never);
    else job?.reject(new Error(answer.message));
    next();
  };

  /** The thread is lost, and its job with it; the next job gets a new one. */
  const give = (lost: Running, error: Error): void => {
    const { job } = lost;
    lost.job = undefined;
    lost.id = -1;
    job?.reject(error);
    if (running !== lost) return;
    running = undefined;
    void lost.worker.terminate();
    if (!closed) next();
  };

  const stop = async (): Promise<void> => {
    const stopped = running;
    running = undefined;
    cancelTimer();
    await stopped?.worker.terminate();
    if (!closed && waiting.length > 0) next();
  };

  return {
    run: (name, ask, bytes = 'copied') =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new Error('the server is shutting down'));
        if (waiting.length >= JOBS_MAX) return reject(new Error('too many documents wait'));
        const transfer = bytes === 'given-away' ? ownBuffers(ask) : [];
        waiting.push({ name, ask, transfer, resolve, reject });
        next();
      }),
    async close() {
      closed = true;
      for (const job of waiting.splice(0)) job.reject(new Error('the server is shutting down'));
      await stop();
    },
  };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
