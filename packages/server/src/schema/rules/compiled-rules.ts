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
  /**
   * Compiles the rules of one schema after the other, for who does not want to wait for all of them at once: between two
   * steps something else can run.
   */
  compileEach(): Iterable<void>;
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
