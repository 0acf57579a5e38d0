/** The worker's side of a `WorkThread`. */
import { type MessagePort, parentPort } from 'node:worker_threads';
import type { ThreadRequest, ThreadResponse } from './job-thread.ts';
import { pack, unpack } from './packed-value.ts';
import { serializeResult, type ValidationResult } from './validation-result.ts';
import { runYamlJob, YAML_JOB } from './yaml-job.ts';

/** Jobs by name. A job that lacks data for an input returns `unknown`, and is sent the data with the input again. */
type ValidationJobs = Readonly<Record<string, (input: never) => ValidationResult | 'unknown'>>;

/** The output of a validation job. */
export type JobOutput =
  | { readonly known: false }
  | {
      readonly known: true;
      readonly result: ReturnType<typeof serializeResult>;
      readonly tookMs: number;
    };

/** Runs jobs for messages from the parent thread; called by the entry of a thread. */
export function serveJobs(jobs: ValidationJobs, port: MessagePort | null = parentPort): void {
  if (port === null) throw new Error('this is the entry of a thread');
  port.on('message', (request: ThreadRequest) => port.postMessage(respond(request, jobs)));
}

function respond({ id, job, input }: ThreadRequest, jobs: ValidationJobs): ThreadResponse {
  try {
    if (job === YAML_JOB) return { id, outcome: 'done', output: runYamlJob(input as Uint8Array) };
    return { id, outcome: 'done', output: pack(runJob(job, unpack(input as Uint8Array), jobs)) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { id, outcome: 'failed', message };
  }
}

function runJob(job: string, input: unknown, jobs: ValidationJobs): JobOutput {
  const work = Object.hasOwn(jobs, job) ? jobs[job] : undefined;
  if (work === undefined) throw new Error(`${job} is no job of this thread`);
  const startMs = performance.now();
  const result = work(input as never);
  if (result === 'unknown') return { known: false };
  const tookMs = performance.now() - startMs;
  return { known: true, result: serializeResult(result), tookMs };
}
