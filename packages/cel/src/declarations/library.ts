import type { Macro } from '../syntax/macro.ts';
import type { CelError } from '../values/errors.ts';
import type { Type } from '../values/types.ts';
import type { Result, Step, Value } from '../values/value.ts';
import type { CallEstimate, EstimateInput } from './estimate.ts';

/**
 * A named set of functions and macros. An environment is made of libraries; two that declare the same
 * function add up their overloads.
 */
export interface Library {
  readonly name: string;
  readonly functions: readonly FunctionDeclaration[];
  readonly macros?: readonly Macro[];
  /** Names of types that can be written as values, such as `net.IP`. */
  readonly types?: readonly Type[];
}

export interface FunctionDeclaration {
  /** `size`, `ip.isCanonical`; operators are `_+_` and the like. */
  readonly name: string;
  readonly overloads: readonly Overload[];
  /**
   * One implementation for every overload, as upstream has for operators: it looks at the types itself
   * and is called for any first argument it accepts.
   */
  readonly singleton?: {
    readonly accepts: (first: Value) => boolean;
    readonly call: Call;
  };
  /** Costs that upstream knows by the name of the function; an overload's own come first. */
  readonly actualCost?: ActualCost;
  readonly estimateCost?: EstimateCost;
}

export interface Overload {
  /** Upstream's id, such as `list_index_of`; unique in an environment. */
  readonly id: string;
  /** `value.f(x)`: the first parameter is the receiver. */
  readonly member: boolean;
  readonly parameters: readonly Type[];
  readonly result: Type;
  /**
   * The arguments, the receiver first, are of the parameters' types: the evaluator has looked (of lists
   * and maps, as upstream, only at the first entry). Returns an error instead of throwing it. Absent
   * where the function has a singleton or the planner knows the call, as `or` of optionals.
   */
  readonly call?: Call;
  /**
   * Made once, when a program is planned, with the arguments that are constant in the text; what it
   * returns replaces `call`. An error here is one of compiling, as for an invalid pattern.
   */
  readonly prepare?: (constants: readonly (Value | undefined)[]) => Call | CelError | undefined;
  /** The cost of a call that has happened; 1 when absent. */
  readonly actualCost?: ActualCost;
  /** The cost a call may have, by sizes; 1 when absent or undefined. */
  readonly estimateCost?: EstimateCost;
}

/** `step` is told of work that the cost does not count; it ends the evaluation when there is too much. */
export type Call = (args: readonly Value[], step: Step) => Result;

/** An argument can be an error when the call was not made because of it. */
export type ActualCost = (args: readonly Result[], result: Result) => number;

export type EstimateCost = (input: EstimateInput) => CallEstimate | undefined;
