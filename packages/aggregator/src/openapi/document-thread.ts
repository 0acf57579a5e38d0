import type { Clock } from '@tributary/client';
import { JobThread } from '@tributary/server/validation';
import type { JobName, ThreadJobs } from './thread-jobs.ts';
import { transferableBuffers } from './transferable-buffers.ts';

/** Decodes and merges documents outside of the event loop. */
export interface DocumentThread {
  /**
   * Runs one job at a time. Rejects with the reason why a document is invalid. Transferred bytes are no longer usable
   * by the caller; others are copied.
   */
  run<Name extends JobName>(
    job: Name,
    ask: ThreadJobs[Name]['input'],
    bytes?: 'copied' | 'given-away',
  ): Promise<ThreadJobs[Name]['output']>;
  close(): Promise<void>;
}

/** Beside this file, as source or as built. */
const ENTRY = new URL(
  import.meta.url.endsWith('.ts') ? './openapi-worker.ts' : './openapi-worker.js',
  import.meta.url,
);

/** An idle thread ends after this time, because it holds documents in memory. */
export const IDLE_MS = 10_000;
/** Of one job; the largest accepted documents take a few seconds. */
export const JOB_MS_MAX = 60_000;
/** Pending jobs hold documents; further ones fail and are retried. */
export const JOBS_MAX = 64;
/** Enough for the largest documents of some backends; more ends the thread but not the process. */
const HEAP_MB_MAX = 1024;

const failures = {
  full: () => new Error('too many documents wait'),
  late: (seconds: number) => new Error(`reading took longer than ${seconds} seconds`),
  failed: (why: string, cause?: unknown) => (cause instanceof Error ? cause : new Error(why)),
  closing: () => new Error('the server is shutting down'),
};

export function documentThread(
  clock: Pick<Clock, 'schedule'>,
  { heapMbMax = HEAP_MB_MAX }: { readonly heapMbMax?: number } = {},
): DocumentThread {
  const thread = new JobThread({
    name: 'tributary-openapi',
    entry: ENTRY,
    clock,
    // The fetches limit the bytes.
    limits: {
      idleMs: IDLE_MS,
      jobMs: JOB_MS_MAX,
      jobs: JOBS_MAX,
      bytes: Number.POSITIVE_INFINITY,
      heapMb: heapMbMax,
    },
    failures,
  });
  return {
    run: async (name, ask, bytes = 'copied') => {
      const transfer = bytes === 'given-away' ? transferableBuffers(ask) : [];
      return (await thread.run(name, ask, { transfer })) as never;
    },
    close: () => thread.close(),
  };
}
