import type { DecodedYaml, KubeObject } from '@tributary/apimachinery';
import type { SignalSource } from '../request/cancellation.ts';
import type { ObjectSchema } from '../schema/object-schema.ts';
import type { RuleAllowance } from '../schema/rules/compiled-rules.ts';
import type { ValidationResult } from './validation-result.ts';

/** What a judgement that takes long may use; who has an answer at hand does not look at it. */
export interface ValidateContext {
  readonly cancellation: SignalSource;
  readonly thread: ValidationThread;
}

/** Where objects are judged when that takes long. */
export interface ValidationThread {
  /** What may be judged on the loop first, from now on. */
  allowance(): RuleAllowance;
  /** By all rules of a schema. */
  validateRules(
    schema: ObjectSchema,
    objects: ValidatedObjects,
    waiting: SignalSource,
  ): Promise<TimedResult>;
  /** By a job of the entry of the thread. */
  runJob(job: string, ask: unknown, waiting: SignalSource): Promise<TimedResult>;
  /** Reads a document of YAML; throws a `YamlError`. */
  decodeYaml(text: Uint8Array, depthMax: number, waiting: SignalSource): Promise<DecodedYaml>;
  close(): Promise<void>;
}

export interface ValidatedObjects {
  readonly next: KubeObject;
  readonly live: KubeObject | undefined;
}

export interface TimedResult extends ValidationResult {
  readonly tookMs: number;
}
