import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { TestContext } from 'node:test';
import type { Worker } from 'node:worker_threads';

/** The threads that are begun from now on. No handle shows them: one without a job does not hold the process. */
export function begunThreads(t: TestContext): { isEnded: boolean }[] {
  const threads: { isEnded: boolean }[] = [];
  const listener = (message: unknown) => {
    const thread = { isEnded: false };
    threads.push(thread);
    (message as { worker: Worker }).worker.once('exit', () => {
      thread.isEnded = true;
    });
  };
  subscribe('worker_threads', listener);
  t.after(() => unsubscribe('worker_threads', listener));
  return threads;
}
