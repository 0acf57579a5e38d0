/** The state of one validation of an object by its rules: errors, and the remaining cost. */
import { type FieldError, type FieldPath, fieldErrorText } from '@tributary/apimachinery';
import type { Evaluation, Program, Variables } from '@tributary/cel';
import { cel } from '../cel.ts';
import type { Correlation } from '../correlation.ts';
import { ERRORS_MAX } from '../walk.ts';
import type { RuleAllowance } from './compiled-rules.ts';

export interface RuleRun {
  readonly errors: FieldError[];
  /** Negative when it is used up; no further rule is evaluated then. */
  remaining: number;
  /** Bounds work for which upstream counts no cost. */
  remainingSteps: number;
  readonly warn: (text: string) => void;
  /** Undefined without a bound but the cost limit. */
  readonly allowance: RuleAllowance | undefined;
  /** Set when the allowance is used up; the errors found so far do not count. */
  isInterrupted: boolean;
}

/** Four times the bound of a single evaluation; a tenth of a second of work. */
const STEPS_MAX = 8_000_000;

/** Subtracts the cost of an evaluation; false when it exceeded the remaining cost. */
export function spend(
  run: RuleRun,
  { cost, steps }: { readonly cost: number; readonly steps: number },
): boolean {
  if (cost > run.remaining || steps > run.remainingSteps) return false;
  run.remaining -= cost;
  run.remainingSteps -= steps;
  return true;
}

export function newRuleRun(warn: (text: string) => void, allowance?: RuleAllowance): RuleRun {
  return {
    errors: [],
    remaining: cel().RUNTIME_COST_BUDGET,
    remainingSteps: STEPS_MAX,
    warn,
    allowance,
    isInterrupted: false,
  };
}

export function giveUp(run: RuleRun): void {
  run.isInterrupted = true;
  run.remaining = -1;
}

/** Evaluates within the allowance; undefined when that did not suffice. */
export function evaluateWithin(
  program: Program,
  variables: Variables,
  { allowance }: RuleRun,
): Evaluation | undefined {
  // An allowance of the whole cost limit needs no other bound.
  if (allowance === undefined || allowance.cost >= cel().PER_CALL_COST_LIMIT) {
    return program.evaluate(variables);
  }
  const result = program.evaluate(variables, { costLimit: allowance.cost });
  return result.outcome === 'exceeded' ? undefined : result;
}

/** Whether the bound on errors or the cost limit is reached. */
export function isOver({ errors, remaining }: RuleRun): boolean {
  return remaining < 0 || errors.length >= ERRORS_MAX;
}

/** A value with its path and its old value. */
export interface RuleSubject {
  readonly value: unknown;
  /** Undefined when there was none, or none correlated. */
  readonly old: unknown;
  readonly path: FieldPath | undefined;
  readonly ratchet: Ratchet;
}

/** The position of a value in the correlation. */
interface Ratchet {
  readonly here: Correlation | undefined;
  /** The nearest correlated value around it. */
  readonly around: Correlation | undefined;
}

export function ratchetKey(ratchet: Ratchet, name: string): Ratchet {
  const { here, around } = ratchet;
  if (here === undefined) return ratchet;
  // Both objects are converted to the same version, so that a change of these is not visible.
  const isType = around === undefined && (name === 'apiVersion' || name === 'kind');
  return isType ? { here: undefined, around: undefined } : { here: here.key(name), around: here };
}

export function ratchetIndex(ratchet: Ratchet, at: number): Ratchet {
  const { here } = ratchet;
  return here === undefined ? ratchet : { here: here.index(at), around: here };
}

function isUnchanged({ here, around }: Ratchet): boolean {
  return (here ?? around)?.isUnchanged ?? false;
}

/** Adds an error, or a warning for an unchanged value unless the rule is about the change. */
export function report(
  run: RuleRun,
  error: FieldError,
  { ratchet, usesOldSelf }: { readonly ratchet: Ratchet; readonly usesOldSelf: boolean },
): void {
  if (!usesOldSelf && isUnchanged(ratchet)) run.warn(fieldErrorText(error));
  else run.errors.push(error);
}
