import { Worker } from 'node:worker_threads';
import { ownedByProcess } from '@tributary/client/http';
import type { Clock } from '@tributary/storage';

/** Work that takes long, outside of the event loop: one piece after the other. */
export interface JobThread {
  /** How many wait for the one that is worked on. */
  readonly waiting: number;
  run(job: string, ask: unknown, options?: JobOptions): Promise<unknown>;
  /** Ends the thread; what waits is refused. */
  close(): Promise<void>;
}

export interface JobOptions {
  /** What it holds while it waits. */
  readonly bytes?: number;
  /** Memory that changes hands instead of being copied. */
  readonly transfer?: readonly ArrayBuffer[];
  readonly signal?: AbortSignal;
}

export interface JobThreadOptions {
  readonly name: string;
  /** A module that answers every `ThreadQuestion` with a `ThreadAnswer`. */
  readonly entry: URL;
  readonly clock: Pick<Clock, 'schedule'>;
  readonly limits: ThreadLimits;
  readonly failures: ThreadFailures;
}

export interface ThreadLimits {
  /** A thread takes memory: without work for this long it ends. */
  readonly idleMs: number;
  /** Of one piece of work, with the start of the thread; then the thread is ended with it. */
  readonly jobMs: number;
  /** What may wait. */
  readonly jobs: number;
  readonly bytes: number;
  /** A piece that needs more memory ends the thread and not the process. */
  readonly heapMb: number;
}

/** What is said to who gets no answer. */
export interface ThreadFailures {
  readonly full: () => Error;
  readonly late: (seconds: number) => Error;
  /** The job failed, or the thread ended with it. */
  readonly failed: (why: string, cause?: unknown) => Error;
  readonly closing: () => Error;
}

export interface ThreadRequest {
  readonly id: number;
  readonly job: string;
  readonly input: unknown;
}

export type ThreadResponse =
  | { readonly id: number; readonly outcome: 'done'; readonly output: unknown }
  | { readonly id: number; readonly outcome: 'failed'; readonly message: string };

interface Job {
  readonly name: string;
  readonly input: unknown;
  readonly bytes: number;
  readonly transfer: readonly ArrayBuffer[];
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
  /** It was given to another thread because its first one died. */
  isRetried: boolean;
}

interface Running {
  readonly worker: Worker;
  job: Job | undefined;
  /** Of the question that is asked; an answer to another one comes too late. */
  id: number;
}

/** There only while there is something to do, or was until just now. */
export function jobThread({ name, entry, clock, limits, failures }: JobThreadOptions): JobThread {
  const waiting = new Set<Job>();
  let waitingBytes = 0;
  let running: Running | undefined;
  let cancelTimer = () => {};
  let isClosed = false;

  const start = (): Running => {
    const resourceLimits = { maxOldGenerationSizeMb: limits.heapMb };
    const worker = ownedByProcess(() => new Worker(entry, { name, resourceLimits }));
    const started: Running = { worker, job: undefined, id: 0 };
    worker.unref();
    worker.on('message', (answer: ThreadResponse) => {
      if (answer.id === started.id) settle(started, answer);
    });
    worker.on('error', (error) => died(started, failures.failed(messageOf(error), error)));
    worker.on('exit', (code) => died(started, failures.failed(`the thread ended with ${code}`)));
    return started;
  };

  const next = (): void => {
    if (running?.job !== undefined) return;
    cancelTimer();
    const [job] = waiting;
    if (job === undefined) {
      if (running !== undefined) cancelTimer = clock.schedule(limits.idleMs, () => void stop());
      return;
    }
    leave(job);
    running ??= start();
    const current = running;
    current.job = job;
    current.id += 1;
    // What is asked for is worth waiting for, also for a process that has nothing else to do.
    current.worker.ref();
    cancelTimer = clock.schedule(limits.jobMs, () => {
      lose(current, failures.late(limits.jobMs / 1000));
    });
    const question: ThreadRequest = { id: current.id, job: job.name, input: job.input };
    current.worker.postMessage(question, job.transfer);
  };

  const leave = (job: Job): void => {
    if (waiting.delete(job)) waitingBytes -= job.bytes;
  };

  const settle = (current: Running, answer: ThreadResponse): void => {
    const { job } = current;
    current.job = undefined;
    current.worker.unref();
    if (answer.outcome === 'done') job?.resolve(answer.output);
    else job?.reject(failures.failed(answer.message));
    next();
  };

  /**
   * A thread that died after its last job may have been given another one before that was known. Such a job gets a new
   * thread, once: a job that ends threads ends two at most. What was transferred is gone with the first.
   */
  const died = (lost: Running, error: Error): void => {
    const { job } = lost;
    if (job !== undefined && lost.id > 1 && !job.isRetried && job.transfer.length === 0) {
      job.isRetried = true;
      lost.job = undefined;
      requeue(job);
    }
    lose(lost, error);
  };

  const requeue = (job: Job): void => {
    const others = [...waiting];
    waiting.clear();
    for (const each of [job, ...others]) waiting.add(each);
    waitingBytes += job.bytes;
  };

  /** The thread is gone, and its job with it; the next job gets a new one. */
  const lose = (lost: Running, error: Error): void => {
    const { job } = lost;
    lost.job = undefined;
    lost.id = -1;
    job?.reject(error);
    if (running !== lost) return;
    running = undefined;
    void lost.worker.terminate();
    if (!isClosed) next();
  };

  const stop = async (): Promise<void> => {
    const stopped = running;
    running = undefined;
    cancelTimer();
    stopped?.job?.reject(failures.closing());
    await stopped?.worker.terminate();
  };

  return {
    get waiting() {
      return waiting.size;
    },
    run: (job, input, { bytes = 0, transfer = [], signal } = {}) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(failures.closing());
        if (signal?.aborted) return reject(signal.reason);
        if (waiting.size >= limits.jobs || waitingBytes + bytes > limits.bytes) {
          return reject(failures.full());
        }
        const abandon = () => {
          leave(asked);
          reject(signal?.reason);
        };
        signal?.addEventListener('abort', abandon, { once: true });
        const settled = () => signal?.removeEventListener('abort', abandon);
        const asked: Job = {
          name: job,
          input,
          bytes,
          transfer,
          isRetried: false,
          resolve: (answer) => {
            settled();
            resolve(answer);
          },
          reject: (error) => {
            settled();
            reject(error);
          },
        };
        waiting.add(asked);
        waitingBytes += bytes;
        next();
      }),
    async close() {
      isClosed = true;
      for (const job of [...waiting]) {
        leave(job);
        job.reject(failures.closing());
      }
      await stop();
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
