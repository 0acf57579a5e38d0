/** The entry of the thread. */
import { parentPort } from 'node:worker_threads';
import type { ThreadRequest, ThreadResponse } from '@tributary/server/validation';
import { type JobHandlers, type JobName, threadJobs } from './thread-jobs.ts';
import { transferableBuffers } from './transferable-buffers.ts';

const jobs: JobHandlers = threadJobs();

parentPort?.on('message', ({ id, job, input }: ThreadRequest) => {
  const response = work(id, () => jobs[job as JobName](input as never));
  parentPort?.postMessage(response, transferableBuffers(response));
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
