import type { SignalSource } from '../request/cancellation.ts';
import type { ObjectSchema } from '../schema/object-schema.ts';
import type { ThreadLimits } from './job-thread.ts';
import { type LoopLimits, loopLimits } from './loop-limits.ts';
import { pack, unpack } from './packed-value.ts';
import { RULE_JOB, type RuleJobInput, schemaSource } from './rule-jobs.ts';
import type { JobOutput } from './serve-jobs.ts';
import type { TimedResult, ValidationThread } from './validate-context.ts';
import { deserializeResult } from './validation-result.ts';
import { type ValidationObserver, workThread } from './work-thread.ts';
import { YAML_JOB, yamlJobInput, yamlJobOutput } from './yaml-job.ts';

export interface ValidationThreadOptions {
  /** A module that calls `serveJobs` with `ruleJobs` and more. Default: an entry with `ruleJobs` alone. */
  readonly entry?: URL;
  readonly limits?: Partial<ThreadLimits>;
  readonly loop?: Partial<LoopLimits>;
}

/** Beside this file, in the source and in the build. */
const ENTRY = new URL(
  import.meta.url.endsWith('.ts') ? './validation-worker.ts' : './validation-worker.js',
  import.meta.url,
);

export function openValidationThread(
  { entry = ENTRY, limits, loop }: ValidationThreadOptions = {},
  observe?: ValidationObserver,
): ValidationThread {
  const thread = workThread({ name: 'tributary-validation', entry, limits, observe });
  const { ms, cost, ruleLength } = { ...loopLimits, ...loop };
  const ids = new WeakMap<ObjectSchema, number>();
  let lastId = 0;
  const idOf = (schema: ObjectSchema): number => {
    const id = ids.get(schema) ?? ++lastId;
    ids.set(schema, id);
    return id;
  };
  const send = async (
    job: string,
    input: unknown,
    cancellation: SignalSource,
  ): Promise<JobOutput> => unpack(await thread.run(job, pack(input), cancellation)) as JobOutput;
  return {
    allowance: () => {
      const endMs = performance.now() + ms;
      return { cost, ruleLength, isOver: () => performance.now() >= endMs };
    },
    validateRules: async (schema, objects, cancellation) => {
      const input: RuleJobInput = { schema: idOf(schema), ...objects };
      const output = await send(RULE_JOB, input, cancellation);
      if (output.known) return timed(output);
      const withSource: RuleJobInput = { ...input, source: schemaSource(schema) };
      return timed(await send(RULE_JOB, withSource, cancellation));
    },
    runJob: async (job, input, cancellation) => timed(await send(job, input, cancellation)),
    decodeYaml: async (text, depthMax, cancellation) =>
      yamlJobOutput(await thread.run(YAML_JOB, yamlJobInput(text, depthMax), cancellation)),
    close: () => thread.close(),
  };
}

function timed(output: JobOutput): TimedResult {
  if (!output.known) throw new Error('the thread still lacks the schema');
  return { ...deserializeResult(output.result), tookMs: output.tookMs };
}
