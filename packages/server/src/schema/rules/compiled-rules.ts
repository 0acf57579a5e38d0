import { type FieldError, fieldErrorText } from '@tributary/apimachinery';
import type { Correlation } from '../correlation.ts';

/** All `x-kubernetes-validations` of a schema. */
export interface CompiledRules {
  /** In the order of upstream's errors. A schema with any is rejected on write. */
  readonly problems: readonly RuleProblem[];
  /** Undefined when there are no rules. `live` is set for an update. */
  readonly validate?:
    | ((next: unknown, live?: unknown, options?: RuleRunOptions) => readonly FieldError[])
    | undefined;
  /** The same within an allowance; undefined when the allowance did not suffice, and then nothing counts. */
  readonly validateWithin?:
    | ((
        allowance: RuleAllowance,
        next: unknown,
        live?: unknown,
        options?: RuleRunOptions,
      ) => readonly FieldError[] | undefined)
    | undefined;
}

/** Bounds of an evaluation on the event loop. Cost and time differ by the rule, so both are bounded. */
export interface RuleAllowance {
  /** Of one evaluation, in units of the cost limit. */
  readonly cost: number;
  /** Length of a rule that is not compiled yet: compilation cannot be interrupted. */
  readonly ruleLength: number;
  /** Called before every rule. */
  readonly isOver: () => boolean;
}

export interface RuleProblem {
  /**
   * The subject of the problem: how the rule is declared, its expression, or its cost. Rules of a schema with an
   * invalid declaration are not compiled, and declarations are reported first.
   */
  readonly kind: 'declaration' | 'expression' | 'cost';
  readonly error: FieldError;
}

interface RuleRunOptions {
  /** The correlation of an update's values: errors of unchanged values are warnings. */
  readonly correlation?: Correlation | undefined;
  readonly warn?: ((text: string) => void) | undefined;
}

export function ruleProblemText({ error }: RuleProblem): string {
  return fieldErrorText(error);
}
