import type { DecodedYaml, KubeObject } from '@tributary/apimachinery';
import type { Waiting } from '../request/cancellation.ts';
import type { ObjectSchema } from '../schema/object-schema.ts';
import type { RuleAllowance } from '../schema/rules/compiled-rules.ts';
import type { Judgement } from './validation-result.ts';

/** What a judgement that takes long may use; who has an answer at hand does not look at it. */
export interface ValidateContext {
  readonly waiting: Waiting;
  readonly thread: JudgingThread;
}

/** Where objects are judged when that takes long. */
export interface JudgingThread {
  /** What may be judged on the loop first, from now on. */
  allowance(): RuleAllowance;
  /** By all rules of a schema. */
  judgeRules(schema: ObjectSchema, objects: Judged, waiting: Waiting): Promise<TimedJudgement>;
  /** By a job of the entry of the thread. */
  judge(job: string, ask: unknown, waiting: Waiting): Promise<TimedJudgement>;
  /** Reads a document of YAML; throws a `YamlError`. */
  decodeYaml(text: Uint8Array, depthMax: number, waiting: Waiting): Promise<DecodedYaml>;
  close(): Promise<void>;
}

export interface Judged {
  readonly next: KubeObject;
  readonly live: KubeObject | undefined;
}

export interface TimedJudgement extends Judgement {
  readonly tookMs: number;
}
