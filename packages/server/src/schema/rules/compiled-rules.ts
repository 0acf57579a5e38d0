import { type FieldError, fieldErrorText } from '@tributary/apimachinery';
import type { Correlation } from '../correlation.ts';

/** All `x-kubernetes-validations` of a schema. */
export interface CompiledRules {
  /** In the order in which they are told. A schema with any is refused when it is written. */
  readonly problems: readonly RuleProblem[];
  /** Undefined when no rule is there to be asked. `live` is there for an update. */
  readonly validate?:
    | ((next: unknown, live?: unknown, options?: RuleRunOptions) => readonly FieldError[])
    | undefined;
  /** The same as far as it is allowed to go; undefined when it was not allowed to go to the end, and then nothing counts. */
  readonly validateWithin?:
    | ((
        allowance: RuleAllowance,
        next: unknown,
        live?: unknown,
        options?: RuleRunOptions,
      ) => readonly FieldError[] | undefined)
    | undefined;
}

/** How much may be done in one go, where others wait. What it costs and what it takes differ by the rule: both are bounded. */
export interface RuleAllowance {
  /** Of one evaluation, in the unit of its budget. */
  readonly cost: number;
  /** Of the text of a rule that is not compiled yet: reading it cannot be interrupted. */
  readonly ruleLength: number;
  /** Asked before every rule. */
  readonly isOver: () => boolean;
}

export interface RuleProblem {
  /**
   * What was wrong: how the rule is declared, its expression, or what it may cost. Rules of a schema with a wrong
   * declaration in it are not compiled, and declarations are told before everything else.
   */
  readonly kind: 'declaration' | 'expression' | 'cost';
  readonly error: FieldError;
}

export interface RuleRunOptions {
  /** How the values of an update belong together: what did not change is warned of, not refused. */
  readonly correlation?: Correlation | undefined;
  readonly warn?: ((text: string) => void) | undefined;
}

export function ruleProblemText({ error }: RuleProblem): string {
  return fieldErrorText(error);
}
