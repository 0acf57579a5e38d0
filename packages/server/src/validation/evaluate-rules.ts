import type { FieldError, KubeObject } from '@tributary/apimachinery';
import type { MaybePromise } from '../request/maybe-promise.ts';
import type { Correlation } from '../schema/correlation.ts';
import type { ObjectSchema } from '../schema/object-schema.ts';
import { loopLimits } from './loop-limits.ts';
import type { ValidateContext } from './validate-context.ts';

export interface RuleOptions {
  readonly live: KubeObject | undefined;
  readonly correlation: Correlation | undefined;
  readonly warn: ((text: string) => void) | undefined;
  /** Without one, everything is asked here and at once. */
  readonly context: ValidateContext | undefined;
}

export type RuleEvaluator = (
  next: KubeObject,
  question: RuleOptions,
) => MaybePromise<readonly FieldError[]>;

/**
 * Asks all rules of a schema about an object: on the loop as long as that holds up nobody, and otherwise, from the
 * beginning, in the thread. Both say the same. What took long in the thread the last time is not tried here.
 */
export function ruleEvaluator(schema: ObjectSchema): RuleEvaluator {
  let wasLong = false;
  return (next, { live, correlation, warn, context }) => {
    const { rules } = schema;
    if (rules?.validate === undefined) return [];
    const options = { correlation, warn };
    if (context === undefined) return rules.validate(next, live, options);
    const { thread, cancellation } = context;
    const errors = wasLong
      ? undefined
      : rules.validateWithin?.(thread.allowance(), next, live, options);
    if (errors !== undefined) return errors;
    return thread.validateRules(schema, { next, live }, cancellation).then((result) => {
      wasLong = result.tookMs > loopLimits.ms;
      for (const text of result.warnings) warn?.(text);
      return result.errors;
    });
  };
}
