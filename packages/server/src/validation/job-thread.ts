import { Worker } from 'node:worker_threads';
import { ownedByProcess } from '@tributary/client/http';
import type { Clock } from '@tributary/storage';

interface JobOptions {
  /** Memory that the job occupies while it is queued. */
  readonly bytes?: number;
  /** Buffers that are moved to the thread instead of copied. */
  readonly transfer?: readonly ArrayBuffer[];
  readonly signal?: AbortSignal;
}

interface JobThreadOptions {
  readonly name: string;
  /** A module that responds to every `ThreadRequest` with a `ThreadResponse`. */
  readonly entry: URL;
  readonly clock: Pick<Clock, 'schedule'>;
  readonly limits: ThreadLimits;
  readonly failures: ThreadFailures;
}

export interface ThreadLimits {
  /** An idle thread ends after this time, to release its memory. */
  readonly idleMs: number;
  /** Timeout of one job, including the start of the thread; the thread is terminated with the job. */
  readonly jobMs: number;
  /** Bound on the number of queued jobs. */
  readonly jobs: number;
  /** Bound on the bytes of queued jobs. */
  readonly bytes: number;
  /** Heap of the thread; a job that needs more terminates the thread and not the process. */
  readonly heapMb: number;
}

/** Errors of jobs that return no result. */
export interface ThreadFailures {
  /** The queue is full. */
  readonly full: () => Error;
  readonly late: (seconds: number) => Error;
  /** The job threw, or its thread ended. */
  readonly failed: (reason: string, cause?: unknown) => Error;
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
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: Error) => void;
  /** Set when the job was requeued because its first thread ended. */
  isRetried: boolean;
}

interface Running {
  readonly worker: Worker;
  job: Job | undefined;
  /** Id of the current request; a response with another id is late and is ignored. */
  id: number;
}

/** Runs jobs one after the other in a worker thread, which exists only while there are jobs, and for an idle time after. */
export class JobThread {
  readonly #options: JobThreadOptions;
  readonly #queue = new Set<Job>();
  #queuedBytes = 0;
  #running: Running | undefined;
  #cancelTimer = () => {};
  #isClosed = false;

  constructor(options: JobThreadOptions) {
    this.#options = options;
  }

  /** Number of jobs in the queue, without the one that runs. */
  get waiting(): number {
    return this.#queue.size;
  }

  run(
    name: string,
    input: unknown,
    { bytes = 0, transfer = [], signal }: JobOptions = {},
  ): Promise<unknown> {
    const { limits, failures } = this.#options;
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(failures.closing());
      if (signal?.aborted) return reject(signal.reason);
      if (this.#queue.size >= limits.jobs || this.#queuedBytes + bytes > limits.bytes) {
        return reject(failures.full());
      }
      const onAbort = () => {
        this.#dequeue(job);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      const removeListener = () => signal?.removeEventListener('abort', onAbort);
      const job: Job = {
        name,
        input,
        bytes,
        transfer,
        isRetried: false,
        resolve: (output) => {
          removeListener();
          resolve(output);
        },
        reject: (error) => {
          removeListener();
          reject(error);
        },
      };
      this.#queue.add(job);
      this.#queuedBytes += bytes;
      this.#next();
    });
  }

  /** Ends the thread and rejects queued jobs. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const job of [...this.#queue]) {
      this.#dequeue(job);
      job.reject(this.#options.failures.closing());
    }
    await this.#stop();
  }

  #start(): Running {
    const { name, entry, limits, failures } = this.#options;
    const resourceLimits = { maxOldGenerationSizeMb: limits.heapMb };
    const worker = ownedByProcess(() => new Worker(entry, { name, resourceLimits }));
    const started: Running = { worker, job: undefined, id: 0 };
    worker.unref();
    worker.on('message', (response: ThreadResponse) => {
      if (response.id === started.id) this.#complete(started, response);
    });
    // Messages that the thread sent before an error may arrive after the error, but always before the exit.
    let failure: Error | undefined;
    worker.on('error', (error) => {
      failure = failures.failed(messageOf(error), error);
    });
    worker.on('exit', (code) =>
      this.#onExit(started, failure ?? failures.failed(`the thread ended with ${code}`)),
    );
    return started;
  }

  #next(): void {
    const { clock, limits, failures } = this.#options;
    if (this.#running?.job !== undefined) return;
    this.#cancelTimer();
    const [job] = this.#queue;
    if (job === undefined) {
      if (this.#running !== undefined) {
        this.#cancelTimer = clock.schedule(limits.idleMs, () => void this.#stop());
      }
      return;
    }
    this.#dequeue(job);
    this.#running ??= this.#start();
    const current = this.#running;
    current.job = job;
    current.id += 1;
    // A running job keeps the process alive.
    current.worker.ref();
    this.#cancelTimer = clock.schedule(limits.jobMs, () => {
      this.#discard(current, failures.late(limits.jobMs / 1000));
    });
    const request: ThreadRequest = { id: current.id, job: job.name, input: job.input };
    current.worker.postMessage(request, job.transfer);
  }

  #dequeue(job: Job): void {
    if (this.#queue.delete(job)) this.#queuedBytes -= job.bytes;
  }

  #complete(current: Running, response: ThreadResponse): void {
    const { job } = current;
    current.job = undefined;
    current.worker.unref();
    if (response.outcome === 'done') job?.resolve(response.output);
    else job?.reject(this.#options.failures.failed(response.message));
    this.#next();
  }

  /**
   * A thread that ends after a job may have been sent the next one before its end was noticed. That job is retried in a
   * new thread, once, so that a job that ends threads ends two at most. Transferred buffers are lost with the thread.
   */
  #onExit(ended: Running, error: Error): void {
    const { job } = ended;
    if (job !== undefined && ended.id > 1 && !job.isRetried && job.transfer.length === 0) {
      job.isRetried = true;
      ended.job = undefined;
      this.#requeue(job);
    }
    this.#discard(ended, error);
  }

  #requeue(job: Job): void {
    const others = [...this.#queue];
    this.#queue.clear();
    for (const each of [job, ...others]) this.#queue.add(each);
    this.#queuedBytes += job.bytes;
  }

  /** Terminates a thread and rejects its job; the next job gets a new thread. */
  #discard(ended: Running, error: Error): void {
    const { job } = ended;
    ended.job = undefined;
    ended.id = -1;
    job?.reject(error);
    if (this.#running !== ended) return;
    this.#running = undefined;
    void ended.worker.terminate();
    if (!this.#isClosed) this.#next();
  }

  async #stop(): Promise<void> {
    const stopped = this.#running;
    this.#running = undefined;
    this.#cancelTimer();
    stopped?.job?.reject(this.#options.failures.closing());
    await stopped?.worker.terminate();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
