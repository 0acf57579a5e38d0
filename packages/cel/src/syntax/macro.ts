import type { Expression } from './expression.ts';

/** A call that the parser replaces by another expression. */
export interface Macro {
  readonly name: string;
  /** `range.all(x, …)` rather than `has(x)`. */
  readonly member: boolean;
  /** Without the receiver; undefined takes any number. */
  readonly argumentCount: number | undefined;
  /** Returns undefined to leave the call as a function's, or the error and the expression it is about. */
  readonly expand: (
    build: ExpressionBuilder,
    target: Expression | undefined,
    args: readonly Expression[],
  ) => Expression | MacroError | undefined;
}

export interface MacroError {
  readonly kind: 'error';
  readonly message: string;
  readonly at: number;
}

/** Makes expressions with fresh ids that stand where the macro's call stands. */
export interface ExpressionBuilder {
  literal(value: boolean | bigint | string | null): Expression;
  identifier(name: string): Expression;
  /** The variable that macros collect into. */
  accumulator(): Expression;
  readonly accumulatorName: string;
  call(name: string, ...args: readonly Expression[]): Expression;
  memberCall(name: string, target: Expression, ...args: readonly Expression[]): Expression;
  select(operand: Expression, field: string): Expression;
  test(operand: Expression, field: string): Expression;
  list(...elements: readonly Expression[]): Expression;
  map(): Expression;
  comprehension(parts: ComprehensionParts): Expression;
  /** The same tree under fresh ids, for an argument that is used twice. */
  copy(expression: Expression): Expression;
}

export interface ComprehensionParts {
  readonly range: Expression;
  readonly variable: string;
  readonly secondVariable?: string;
  readonly accumulator?: string;
  readonly initial: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

export function macroError(at: Expression, message: string): MacroError {
  return { kind: 'error', message, at: at.id };
}
