import type { DecodedYaml, KubeObject } from '@tributary/apimachinery';
import type { SignalSource } from '../request/cancellation.ts';
import type { ObjectSchema } from '../schema/object-schema.ts';
import type { RuleAllowance } from '../schema/rules/compiled-rules.ts';
import type { ValidationResult } from './validation-result.ts';

/** Dependencies of expensive validation; validation that is synchronous does not use them. */
export interface ValidateContext {
  readonly cancellation: SignalSource;
  readonly thread: ValidationThread;
}

/** The thread for expensive validation. */
export interface ValidationThread {
  /** Starts the allowance for rules on the event loop. */
  allowance(): RuleAllowance;
  /** Evaluates all rules of a schema. */
  validateRules(
    schema: ObjectSchema,
    objects: ValidatedObjects,
    cancellation: SignalSource,
  ): Promise<TimedResult>;
  /** Runs a job of the thread's entry. */
  runJob(job: string, input: unknown, cancellation: SignalSource): Promise<TimedResult>;
  /** Decodes a YAML document; rejects with a `YamlError`. */
  decodeYaml(text: Uint8Array, depthMax: number, cancellation: SignalSource): Promise<DecodedYaml>;
  close(): Promise<void>;
}

interface ValidatedObjects {
  readonly next: KubeObject;
  readonly live: KubeObject | undefined;
}

export interface TimedResult extends ValidationResult {
  readonly tookMs: number;
}
