import {
  createWorkQueue,
  exponentialRateLimiter,
  runWorkers,
  type WorkQueue,
} from '@tributary/client';
import type { ControllerSurroundings } from './surroundings.ts';

export interface KeyedController {
  readonly name: string;
  readonly concurrency?: number;
  /** Longest pause between two attempts at a key that fails. */
  readonly retryMsMax?: number;
  /** Makes things right for a key. What it throws is logged, and the key is tried again later. */
  readonly reconcile: (key: string, queue: WorkQueue<string>) => Promise<void>;
}

const RETRY_MS_MIN = 5;
const RETRY_MS_MAX = 60_000;

/** Works on keys until the signal fires: whoever knows of a change adds its key. */
export function keyedController(
  controller: KeyedController,
  { clock, log, signal }: Pick<ControllerSurroundings, 'clock' | 'log' | 'signal'>,
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
      if (!signal.aborted) log.error(error, 'A controller could not do its work', { name, key });
    },
  });
  return { queue, done };
}
