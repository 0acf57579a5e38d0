/** The entry of the thread. */
import { parentPort } from 'node:worker_threads';
import { ownBuffers } from './own-buffers.ts';
import { type JobName, threadJobs, type Worked } from './thread-jobs.ts';

export interface ThreadQuestion {
  readonly id: number;
  readonly job: JobName;
  readonly ask: unknown;
}

export type ThreadAnswer =
  | { readonly id: number; readonly outcome: 'done'; readonly answer: unknown }
  | { readonly id: number; readonly outcome: 'failed'; readonly message: string };

const jobs: Worked = threadJobs();

parentPort?.on('message', ({ id, job, ask }: ThreadQuestion) => {
  const answer = work(id, () => jobs[job](ask as never));
  parentPort?.postMessage(answer, ownBuffers(answer));
});

function work(id: number, run: () => unknown): ThreadAnswer {
  try {
    return { id, outcome: 'done', answer: run() };
  } catch (error) {
    return {
      id,
      outcome: 'failed',
      message: error instanceof Error ? error.message : String(error),
    };
  }
}
