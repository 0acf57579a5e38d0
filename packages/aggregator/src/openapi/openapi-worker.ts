/** The entry of the thread. */
import { parentPort } from 'node:worker_threads';
import type { ThreadRequest, ThreadResponse } from '@tributary/server/validation';
import { ownBuffers } from './own-buffers.ts';
import { type JobName, threadJobs, type Worked } from './thread-jobs.ts';

const jobs: Worked = threadJobs();

parentPort?.on('message', ({ id, job, input }: ThreadRequest) => {
  const answer = work(id, () => jobs[job as JobName](input as never));
  parentPort?.postMessage(answer, ownBuffers(answer));
});

function work(id: number, run: () => unknown): ThreadResponse {
  try {
    return { id, outcome: 'done', output: run() };
  } catch (error) {
    return {
      id,
      outcome: 'failed',
      message: error instanceof Error ? error.message : String(error),
    };
  }
}
