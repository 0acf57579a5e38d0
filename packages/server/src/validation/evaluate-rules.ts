import type { FieldError, KubeObject } from '@tributary/apimachinery';
import type { MaybePromise } from '../request/maybe-promise.ts';
import type { Correlation } from '../schema/correlation.ts';
import type { ObjectSchema } from '../schema/object-schema.ts';
import { loopLimits } from './loop-limits.ts';
import type { ValidateContext } from './validate-context.ts';

export interface RuleQuestion {
  readonly live: KubeObject | undefined;
  readonly correlation: Correlation | undefined;
  readonly warn: ((text: string) => void) | undefined;
  /** Without one, everything is asked here and at once. */
  readonly context: ValidateContext | undefined;
}

export type AskRules = (
  next: KubeObject,
  question: RuleQuestion,
) => MaybePromise<readonly FieldError[]>;

/**
 * Asks all rules of a schema about an object: on the loop as long as that holds up nobody, and otherwise, from the
 * beginning, in the thread. Both say the same. What took long in the thread the last time is not tried here.
 */
export function askRules(schema: ObjectSchema): AskRules {
  let wasLong = false;
  return (next, { live, correlation, warn, context }) => {
    const { rules } = schema;
    if (rules?.validate === undefined) return [];
    const options = { correlation, warn };
    if (context === undefined) return rules.validate(next, live, options);
    const { thread, waiting } = context;
    const here = wasLong
      ? undefined
      : rules.validateWithin?.(thread.allowance(), next, live, options);
    if (here !== undefined) return here;
    return thread.judgeRules(schema, { next, live }, waiting).then((judgement) => {
      wasLong = judgement.tookMs > loopLimits.ms;
      for (const text of judgement.warnings) warn?.(text);
      return judgement.errors;
    });
  };
}
