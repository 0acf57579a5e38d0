import type { Waiting } from '../request/cancellation.ts';
import type { ObjectSchema } from '../schema/object-schema.ts';
import type { ThreadLimits } from './job-thread.ts';
import { type LoopLimits, loopLimits } from './loop-limits.ts';
import { RULE_JOB, type RuleAsk, schemaSource } from './rule-jobs.ts';
import { packed, unpacked } from './sent-value.ts';
import type { JobAnswer } from './serve-jobs.ts';
import type { JudgingThread, TimedJudgement } from './validate-context.ts';
import { receivedJudgement } from './validation-result.ts';
import { type JudgingObserver, workThread } from './work-thread.ts';
import { askForYaml, receivedYaml, YAML_JOB } from './yaml-job.ts';

export interface JudgingOptions {
  /** A module that calls `serveJobs`, with the rules among the jobs. Default: one that has nothing else. */
  readonly entry?: URL;
  readonly limits?: Partial<ThreadLimits>;
  readonly loop?: Partial<LoopLimits>;
}

/** Beside this file, as source or as built. */
const ENTRY = new URL(
  import.meta.url.endsWith('.ts') ? './validation-worker.ts' : './validation-worker.js',
  import.meta.url,
);

export function judgingThread(
  { entry = ENTRY, limits, loop }: JudgingOptions = {},
  observe?: JudgingObserver,
): JudgingThread {
  const thread = workThread({ name: 'tributary-judging', entry, limits, observe });
  const { ms, cost, ruleLength } = { ...loopLimits, ...loop };
  const ids = new WeakMap<ObjectSchema, number>();
  let lastId = 0;
  const idOf = (schema: ObjectSchema): number => {
    const id = ids.get(schema) ?? ++lastId;
    ids.set(schema, id);
    return id;
  };
  const ask = async (job: string, question: unknown, waiting: Waiting): Promise<JobAnswer> =>
    unpacked(await thread.run(job, packed(question), waiting)) as JobAnswer;
  return {
    allowance: () => {
      const endMs = performance.now() + ms;
      return { cost, ruleLength, isOver: () => performance.now() >= endMs };
    },
    judgeRules: async (schema, objects, waiting) => {
      const question: RuleAsk = { schema: idOf(schema), ...objects };
      const answer = await ask(RULE_JOB, question, waiting);
      if (answer.known) return timed(answer);
      const told: RuleAsk = { ...question, source: schemaSource(schema) };
      return timed(await ask(RULE_JOB, told, waiting));
    },
    judge: async (job, question, waiting) => timed(await ask(job, question, waiting)),
    decodeYaml: async (text, depthMax, waiting) =>
      receivedYaml(await thread.run(YAML_JOB, askForYaml(text, depthMax), waiting)),
    close: () => thread.close(),
  };
}

function timed(answer: JobAnswer): TimedJudgement {
  if (!answer.known) throw new Error('the thread was told everything and knows nothing');
  return { ...receivedJudgement(answer.judgement), tookMs: answer.tookMs };
}
