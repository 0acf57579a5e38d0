import { type Checked, check } from '../check/checker.ts';
import { validateLiterals } from '../check/literals.ts';
import { estimateCost } from '../cost/estimator.ts';
import type { Range } from '../declarations/estimate.ts';
import { Frame, type Variables } from '../evaluate/frame.ts';
import { type Planned, plan } from '../evaluate/plan.ts';
import { parse } from '../syntax/parser.ts';
import { formatIssues, type Issue } from '../syntax/source.ts';
import { CelError, CostLimitExceeded } from '../values/errors.ts';
import type { Type } from '../values/types.ts';
import type { Value } from '../values/value.ts';
import type { Environment } from './environment.ts';

/** The most one evaluation may cost in Kubernetes. */
export const PER_CALL_COST_LIMIT = 1_000_000;
/** The most all evaluations for one object may cost together. */
export const RUNTIME_COST_BUDGET = 10_000_000;

export type Compilation =
  | { readonly ok: true; readonly program: Program }
  /** `text` is what upstream prints, with the lines the errors are in. */
  | { readonly ok: false; readonly issues: readonly Issue[]; readonly text: string }
  /** The expression means something, but a constant in it does not: `int('x')`. */
  | { readonly ok: false; readonly issues: readonly []; readonly instantiation: Instantiation };

export interface Instantiation {
  readonly message: string;
  readonly resultType: Type;
  readonly estimatedCost: Range;
}

/** A compiled expression; it can be evaluated any number of times. */
export interface Program {
  readonly resultType: Type;
  readonly estimatedCost: Range;
  /** Whether the expression names a variable, as transition rules name `oldSelf`. */
  uses(variable: string): boolean;
  evaluate(variables: Variables, options?: EvaluateOptions): Evaluation;
}

export interface EvaluateOptions {
  /** `PER_CALL_COST_LIMIT` unless given. */
  readonly costLimit?: number;
}

/** `steps` is work without a cost upstream; a caller that evaluates many expressions bounds both. */
export type Evaluation = { readonly cost: number; readonly steps: number } & (
  | { readonly outcome: 'value'; readonly value: Value }
  | { readonly outcome: 'error'; readonly message: string }
  | { readonly outcome: 'exceeded'; readonly message: string }
);

/** Parses, checks and prepares an expression, and estimates what it can cost. */
export function compile(environment: Environment, text: string): Compilation {
  const parsed = parse(text, environment);
  if ('issues' in parsed) {
    return refused(text, parsed.issues);
  }
  const result = check(parsed.expression, parsed.positions, environment);
  if ('issues' in result) {
    return refused(text, result.issues);
  }
  const { checked } = result;
  const issues = validateLiterals(checked, environment);
  if (issues.length > 0) {
    return refused(text, issues);
  }
  const resultType = checked.types.get(checked.expression.id) as Type;
  const estimatedCost = estimateCost(checked, environment);
  const planned = plan(checked, environment);
  if (planned instanceof CelError) {
    const { message } = planned;
    return { ok: false, issues: [], instantiation: { message, resultType, estimatedCost } };
  }
  return {
    ok: true,
    program: {
      resultType,
      estimatedCost,
      uses: (variable) => references(checked, variable),
      evaluate: (variables, options = {}) => evaluate(planned, variables, options),
    },
  };
}

function refused(text: string, issues: readonly Issue[]): Compilation {
  return { ok: false, issues, text: formatIssues(text, issues) };
}

function references(checked: Checked, variable: string): boolean {
  for (const reference of checked.references.values()) {
    if (reference.kind === 'identifier' && reference.name === variable) {
      return true;
    }
  }
  return false;
}

function evaluate(
  { evaluate: run, slotCount }: Planned,
  variables: Variables,
  { costLimit = PER_CALL_COST_LIMIT }: EvaluateOptions,
): Evaluation {
  const frame = new Frame(variables, slotCount, costLimit);
  try {
    const result = run(frame);
    return result instanceof CelError
      ? { outcome: 'error', message: result.message, ...frame.spent }
      : { outcome: 'value', value: result, ...frame.spent };
  } catch (error) {
    if (error instanceof CostLimitExceeded) {
      return { outcome: 'exceeded', message: error.message, ...frame.spent };
    }
    throw error;
  }
}
