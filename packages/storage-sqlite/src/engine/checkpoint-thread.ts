import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface LogPages {
  /** Pages in the log, and how many of them are in the database too. */
  readonly log: number;
  readonly checkpointed: number;
}

/** Beside this file, as source or as built. */
const ENTRY = new URL(
  import.meta.url.endsWith('.ts') ? './checkpoint-worker.ts' : './checkpoint-worker.js',
  import.meta.url,
);

/** A thread takes about ten megabytes: without work for this long it ends. */
const IDLE_MS = 3_000;

/** A thread that copies the log into the database, there only while much is written. */
export class CheckpointThread {
  readonly #file: string;
  #worker: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  async copy(): Promise<LogPages> {
    clearTimeout(this.#timer);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    worker.postMessage('copy');
    try {
      // An error of the thread rejects this too.
      const [copied] = await once(worker, 'message');
      this.#timer = setTimeout(() => void this.stop(), IDLE_MS);
      this.#timer.unref();
      return copied;
    } catch (error) {
      this.#worker = undefined;
      throw error;
    }
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #start(): Worker {
    const resourceLimits = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 };
    const name = 'tributary-sqlite-checkpoint';
    return new Worker(ENTRY, { workerData: this.#file, name, resourceLimits });
  }
}
