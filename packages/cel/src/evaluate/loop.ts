import { CelError, celError } from '../values/errors.ts';
import { goTypeName } from '../values/go-type-name.ts';
import { GrowingList } from '../values/lists.ts';
import { GrowingMap } from '../values/maps.ts';
import {
  isList,
  isMap,
  type ListValue,
  type MapValue,
  type Result,
  type Value,
} from '../values/value.ts';
import type { Evaluate, Frame } from './frame.ts';

export interface Loop {
  readonly range: Evaluate;
  readonly condition: Evaluate;
  readonly step: Evaluate;
  readonly result: Evaluate;
  /** Slots of the accumulator and of the variables. */
  readonly accumulator: number;
  readonly variable: number;
  readonly secondVariable: number | undefined;
}

/** A comprehension. The accumulator gets its initial value when it is first asked for, or never. */
export function loop(planned: Loop): Evaluate {
  const { range, accumulator, result } = planned;
  return (frame) => {
    const over = range(frame);
    if (over instanceof CelError) {
      return over;
    }
    // A loop within a loop runs again with the slots of its last run.
    frame.slots[accumulator] = undefined;
    if (isList(over)) {
      foldList(frame, planned, over);
    } else if (isMap(over)) {
      foldMap(frame, planned, over);
    } else {
      return noRange(over, planned.secondVariable !== undefined);
    }
    return result(frame);
  };
}

/** Upstream names the value's type as its own language does. */
function noRange(value: Value, two: boolean): CelError {
  const name = goTypeName(value);
  return celError(
    two ? `unsupported comprehension range type: ${name}` : `got '${name}', expected iterable type`,
  );
}

function foldList(frame: Frame, planned: Loop, list: ListValue): void {
  const { variable, secondVariable } = planned;
  for (let index = 0; index < list.size; index++) {
    if (secondVariable === undefined) {
      frame.slots[variable] = list.at(index);
    } else {
      frame.slots[variable] = BigInt(index);
      frame.slots[secondVariable] = list.at(index);
    }
    if (!iterate(frame, planned)) {
      return;
    }
  }
}

function foldMap(frame: Frame, planned: Loop, map: MapValue): void {
  const { variable, secondVariable } = planned;
  for (const key of map.keys()) {
    frame.slots[variable] = key;
    if (secondVariable !== undefined) {
      frame.slots[secondVariable] = map.get(key);
    }
    if (!iterate(frame, planned)) {
      return;
    }
  }
}

/** Returns false when the loop is over. A condition that is an error lets it go on, as upstream. */
function iterate(frame: Frame, { condition, step, accumulator }: Loop): boolean {
  frame.step();
  if (condition(frame) === false) {
    return false;
  }
  frame.slots[accumulator] = step(frame);
  return true;
}

/** Reads the accumulator, giving it its initial value first; an empty list or map becomes one that grows. */
export function accumulatorReader(slot: number, initial: Evaluate): Evaluate {
  return (frame) => {
    const current = frame.slots[slot];
    if (current !== undefined) {
      return current;
    }
    const value = growing(initial(frame));
    frame.slots[slot] = value;
    return value;
  };
}

function growing(value: Result): Result {
  if (isList(value) && value.size === 0) {
    return new GrowingList();
  }
  return isMap(value) && value.size === 0 ? new GrowingMap() : value;
}
