import type { ActualCost, Call, FunctionDeclaration, Overload } from '../declarations/library.ts';
import { CelError, celError, NO_SUCH_OVERLOAD } from '../values/errors.ts';
import { Duration, isList, type Result, Timestamp, type Value } from '../values/value.ts';
import { withWork } from './call-work.ts';
import type { Evaluate, Frame } from './frame.ts';
import { fits, runtimeSignature } from './runtime-type.ts';

export interface PlannedCall {
  readonly declaration: FunctionDeclaration;
  /** The one overload that fits by the types of the arguments; undefined when only values can tell. */
  readonly overload: Overload | undefined;
  readonly args: readonly Evaluate[];
  /** The result of the overload for its constant arguments. */
  readonly prepared: Call | undefined;
}

/** Characters of text that cost as much work as one free step; see `Frame.step`. */
const CHARACTERS_PER_STEP = 32;

/** Copying an element of a set into another takes so many free steps. */
const STEPS_PER_COPIED = 8;

/** A call of a function that evaluates all its arguments. */
export function call(planned: PlannedCall): Evaluate {
  const { declaration, overload, args } = planned;
  const invoke = withWork(
    declaration.name,
    planned.prepared ?? implementation(declaration, overload, args.length),
  );
  const costOf = overload?.actualCost ?? declaration.actualCost;
  // Upstream's general form stops at the first error and, unless that was the last argument, counts no
  // cost for the call; its forms for one and two arguments evaluate all of them and always count.
  const stopsEarly =
    args.length > 2 ||
    planned.prepared !== undefined ||
    (overload === undefined && declaration.singleton === undefined);
  switch (args.length) {
    case 1:
      return unary(args[0] as Evaluate, invoke, costOf);
    case 2:
      if (!stopsEarly) {
        return binary(args[0] as Evaluate, args[1] as Evaluate, invoke, costOf);
      }
  }
  return general(args, invoke, costOf);
}

function unary(argument: Evaluate, invoke: Call, costOf: ActualCost | undefined): Evaluate {
  return (frame) => {
    const value = argument(frame);
    const result = value instanceof CelError ? value : invoke([value], frame.step);
    return resolve(frame, [value], result, costOf);
  };
}

function binary(
  left: Evaluate,
  right: Evaluate,
  invoke: Call,
  costOf: ActualCost | undefined,
): Evaluate {
  return (frame) => {
    const first = left(frame);
    const second = right(frame);
    const args = [first, second];
    if (first instanceof CelError) {
      return resolve(frame, args, first, costOf);
    }
    const result = second instanceof CelError ? second : invoke(args as Value[], frame.step);
    return resolve(frame, args, result, costOf);
  };
}

function general(
  args: readonly Evaluate[],
  invoke: Call,
  costOf: ActualCost | undefined,
): Evaluate {
  return (frame) => {
    const values: Result[] = [];
    for (const argument of args) {
      const value = argument(frame);
      values.push(value);
      if (value instanceof CelError) {
        return values.length === args.length ? resolve(frame, values, value, costOf) : value;
      }
    }
    return resolve(frame, values, invoke(values as Value[], frame.step), costOf);
  };
}

function resolve(
  frame: Frame,
  args: readonly Result[],
  result: Result,
  costOf: ActualCost | undefined,
): Result {
  frame.charge(costOf === undefined ? 1 : costOf(args, result));
  // Some functions walk over text without a cost for it, such as size().
  const [first] = args;
  if (typeof first === 'string' && first.length > CHARACTERS_PER_STEP) {
    frame.step(first.length / CHARACTERS_PER_STEP);
  }
  if (isList(first) && first.plus !== undefined && isList(result)) {
    // Sets and maps in lists are copied to be added to, though that costs as little as elsewhere.
    frame.step(result.size * STEPS_PER_COPIED);
  }
  if (typeof result === 'string' && result.length > CHARACTERS_PER_STEP) {
    frame.step(result.length / CHARACTERS_PER_STEP);
  }
  return result;
}

function implementation(
  { name, singleton, overloads }: FunctionDeclaration,
  overload: Overload | undefined,
  count: number,
): Call {
  if (singleton !== undefined) {
    return (args, step) => {
      const [first] = args;
      return first !== undefined && singleton.accepts(first)
        ? singleton.call(args, step)
        : refused(name, first);
    };
  }
  const candidates = overload === undefined ? overloads : [overload];
  const usable = candidates.filter(({ parameters }) => parameters.length === count);
  return (args, step) => {
    for (const { parameters, call: invoke } of usable) {
      if (invoke !== undefined && parameters.every((type, index) => fits(type, args[index]))) {
        return invoke(args, step);
      }
    }
    return celError(`no such overload: ${runtimeSignature(name, args)}`);
  };
}

/** Strings and times have functions of their own upstream, whose refusal does not name the function. */
function refused(name: string, first: Value | undefined): CelError {
  const receives =
    typeof first === 'string' || first instanceof Timestamp || first instanceof Duration;
  return receives ? NO_SUCH_OVERLOAD : celError(`no such overload: ${name}`);
}
