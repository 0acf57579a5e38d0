/** One judgement of an object by its rules: what it has found, and what is left of what it may cost. */
import { type FieldError, type FieldPath, fieldErrorText } from '@tributary/apimachinery';
import type { Evaluation, Program, Variables } from '@tributary/cel';
import { cel } from '../cel.ts';
import type { Correlation } from '../correlation.ts';
import { ERRORS_MAX } from '../walk.ts';
import type { RuleAllowance } from './compiled-rules.ts';

export interface RuleRun {
  readonly errors: FieldError[];
  /** Negative when it is used up, and nothing more is asked. */
  remaining: number;
  /** Of work that upstream counts no cost for. */
  remainingSteps: number;
  readonly warn: (text: string) => void;
  /** Undefined for who has all the time that the budget gives. */
  readonly allowance: RuleAllowance | undefined;
  /** Not allowed to go on: what was found so far does not count. */
  isGivenUp: boolean;
}

/** Four times what a single evaluation may take; a tenth of a second of work. */
const STEPS_MAX = 8_000_000;

/** Takes what an evaluation has spent; false when that was more than there was left. */
export function afford(
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
    isGivenUp: false,
  };
}

export function giveUp(run: RuleRun): void {
  run.isGivenUp = true;
  run.remaining = -1;
}

/** Evaluates as far as it is allowed; undefined when that was not to the end. */
export function evaluateWithin(
  program: Program,
  variables: Variables,
  { allowance }: RuleRun,
): Evaluation | undefined {
  // Who may go as far as the budget needs no other bound.
  if (allowance === undefined || allowance.cost >= cel().PER_CALL_COST_LIMIT) {
    return program.evaluate(variables);
  }
  const result = program.evaluate(variables, { costLimit: allowance.cost });
  return result.outcome === 'exceeded' ? undefined : result;
}

/** There are enough errors to refuse the object, or its rules have cost all they may. */
export function isOver({ errors, remaining }: RuleRun): boolean {
  return remaining < 0 || errors.length >= ERRORS_MAX;
}

/** A value with its place and what it was before. */
export interface RuleSubject {
  readonly value: unknown;
  /** Undefined when there was none, or none that belongs to it. */
  readonly old: unknown;
  readonly path: FieldPath | undefined;
  readonly ratchet: Ratchet;
}

/** Where in what belongs together a value is. */
export interface Ratchet {
  readonly here: Correlation | undefined;
  /** The nearest around it that belongs together with what was before. */
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

/** What was as wrong before is not refused, unless the rule is about the change. */
export function report(
  run: RuleRun,
  error: FieldError,
  { ratchet, usesOldSelf }: { readonly ratchet: Ratchet; readonly usesOldSelf: boolean },
): void {
  if (!usesOldSelf && isUnchanged(ratchet)) run.warn(fieldErrorText(error));
  else run.errors.push(error);
}
