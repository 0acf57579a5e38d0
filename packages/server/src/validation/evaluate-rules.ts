import type { FieldError, KubeObject } from '@tributary/apimachinery';
import type { Correlation } from '../schema/correlation.ts';
import type { ObjectSchema } from '../schema/object-schema.ts';
import { loopLimits } from './loop-limits.ts';
import type { ValidateContext } from './validate-context.ts';

export interface RuleOptions {
  readonly live: KubeObject | undefined;
  readonly correlation: Correlation | undefined;
  readonly warn: ((text: string) => void) | undefined;
  /** Default: all rules are evaluated on the event loop. */
  readonly context: ValidateContext | undefined;
}

type RuleEvaluator = (next: KubeObject, question: RuleOptions) => Promise<readonly FieldError[]>;

/** Evaluates all rules of a schema on the event loop, however long that takes. */
export function evaluateRules(
  { rules }: ObjectSchema,
  next: KubeObject,
  { live, correlation, warn }: Omit<RuleOptions, 'context'>,
): readonly FieldError[] {
  return rules?.validate?.(next, live, { correlation, warn }) ?? [];
}

/**
 * Evaluates all rules of a schema on the event loop within its limits, and otherwise, from the beginning, in the
 * validation thread, with the same result. Rules that exceeded the limits in the thread the last time start there.
 */
export function ruleEvaluator(schema: ObjectSchema): RuleEvaluator {
  let wasLong = false;
  return async (next, { context, ...options }) => {
    const { rules } = schema;
    if (rules?.validate === undefined) return [];
    if (context === undefined) return evaluateRules(schema, next, options);
    const { live, correlation, warn } = options;
    const { thread, cancellation } = context;
    const errors = wasLong
      ? undefined
      : rules.validateWithin?.(thread.allowance(), next, live, { correlation, warn });
    if (errors !== undefined) return errors;
    const result = await thread.validateRules(schema, { next, live }, cancellation);
    wasLong = result.tookMs > loopLimits.ms;
    for (const text of result.warnings) warn?.(text);
    return result.errors;
  };
}
