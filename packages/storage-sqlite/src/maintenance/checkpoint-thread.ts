import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface LogPages {
  /** Pages in the log, and how many of them are also in the database. */
  readonly log: number;
  readonly checkpointed: number;
}

/** Beside this file, as source or as built. */
const ENTRY = new URL(
  import.meta.url.endsWith('.ts') ? './checkpoint-worker.ts' : './checkpoint-worker.js',
  import.meta.url,
);

/** A thread takes about ten megabytes: it ends after this time without work. */
const IDLE_MS = 3_000;

/** A thread that copies the log into the database, running only under write load. */
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
      const [copied] = await Promise.race([once(worker, 'message'), endOf(worker)]);
      this.#timer = setTimeout(() => void this.stop(), IDLE_MS);
      this.#timer.unref();
      return copied;
    } catch (error) {
      // The next copy starts another thread.
      if (this.#worker === worker) this.#worker = undefined;
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
    const worker = new Worker(ENTRY, { workerData: this.#file, name, resourceLimits });
    // Also between two copies: the thread of the store outlives this one.
    const forget = () => {
      if (this.#worker === worker) this.#worker = undefined;
    };
    worker.on('error', forget);
    worker.on('exit', forget);
    return worker;
  }
}

/** Rejects when the thread ends, with or without an error. */
async function endOf(worker: Worker): Promise<never> {
  const [code] = await once(worker, 'exit');
  throw new Error(`the thread of checkpoints ended with ${code}`);
}
