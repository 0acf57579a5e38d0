import { exponentialRateLimiter } from '../work-queue/rate-limiter.ts';
import { createWorkQueue, runWorkers, type WorkQueue } from '../work-queue/work-queue.ts';
import type { ControllerDependencies } from './controller-dependencies.ts';

export interface KeyedController {
  readonly name: string;
  readonly concurrency?: number;
  /** Upper bound of the delay between retries of a failing key. */
  readonly retryMsMax?: number;
  /** Brings the object of a key to its desired state. Errors are logged, and the key is retried with backoff. */
  readonly reconcile: (key: string, queue: WorkQueue<string>) => Promise<void>;
}

const RETRY_MS_MIN = 5;
const RETRY_MS_MAX = 60_000;

/** Reconciles the keys that event handlers add to the queue, until the signal aborts. */
export function keyedController(
  controller: KeyedController,
  { clock, log, signal }: Pick<ControllerDependencies, 'clock' | 'log' | 'signal'>,
): { readonly queue: WorkQueue<string>; readonly done: Promise<void> } {
  const { name, concurrency = 1, retryMsMax = RETRY_MS_MAX, reconcile } = controller;
  const queue = createWorkQueue<string>({
    clock,
    rateLimiter: exponentialRateLimiter({ baseMs: RETRY_MS_MIN, maxMs: retryMsMax }),
  });
  signal.addEventListener('abort', () => queue.close(), { once: true });
  const done = runWorkers(queue, {
    concurrency,
    signal,
    work: (key) => reconcile(key, queue),
    onError: (error, key) => {
      if (!signal.aborted) log.error(error, 'Reconcile failed', { name, key });
    },
  });
  return { queue, done };
}
