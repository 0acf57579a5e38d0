/** The side of a `WorkThread` that works. */
import { type MessagePort, parentPort } from 'node:worker_threads';
import type { ThreadAnswer, ThreadQuestion } from './job-thread.ts';
import { packed, unpacked } from './sent-value.ts';
import { type Judgement, sentJudgement } from './validation-result.ts';
import { answerYaml, YAML_JOB } from './yaml-job.ts';

/** By name. One that is asked about something that it does not know yet says so, and is told. */
export type JudgingJobs = Readonly<Record<string, (ask: never) => Judgement | 'unknown'>>;

/** The answer to a question. */
export type JobAnswer =
  | { readonly known: false }
  | {
      readonly known: true;
      readonly judgement: ReturnType<typeof sentJudgement>;
      readonly tookMs: number;
    };

/** Answers whatever the other side asks; for the entry of a thread. */
export function serveJobs(jobs: JudgingJobs, port: MessagePort | null = parentPort): void {
  if (port === null) throw new Error('this is the entry of a thread');
  port.on('message', (question: ThreadQuestion) => port.postMessage(answerTo(question, jobs)));
}

function answerTo({ id, job, ask }: ThreadQuestion, jobs: JudgingJobs): ThreadAnswer {
  try {
    if (job === YAML_JOB) return { id, outcome: 'done', answer: answerYaml(ask as Uint8Array) };
    return { id, outcome: 'done', answer: packed(worked(job, unpacked(ask as Uint8Array), jobs)) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { id, outcome: 'failed', message };
  }
}

function worked(job: string, ask: unknown, jobs: JudgingJobs): JobAnswer {
  const work = Object.hasOwn(jobs, job) ? jobs[job] : undefined;
  if (work === undefined) throw new Error(`${job} is no job of this thread`);
  const startMs = performance.now();
  const judgement = work(ask as never);
  if (judgement === 'unknown') return { known: false };
  const tookMs = performance.now() - startMs;
  return { known: true, judgement: sentJudgement(judgement), tookMs };
}
