import { LIST_CREATE_COST, MAP_CREATE_COST, STRUCT_CREATE_COST } from '../declarations/estimate.ts';
import { display } from '../values/display.ts';
import { CelError, celError } from '../values/errors.ts';
import { arrayList } from '../values/lists.ts';
import { EntryMap } from '../values/maps.ts';
import { Optional, type Result, type Value } from '../values/value.ts';
import type { Evaluate, Frame } from './frame.ts';

/** A list literal. It has its cost also when an element is an error. */
export function collectList(
  elements: readonly Evaluate[],
  optional: ReadonlySet<number>,
): Evaluate {
  return (frame) => {
    const result = listOf(frame, elements, optional);
    frame.charge(LIST_CREATE_COST);
    return result;
  };
}

function listOf(
  frame: Frame,
  elements: readonly Evaluate[],
  optional: ReadonlySet<number>,
): Result {
  const values: Value[] = [];
  for (const [index, element] of elements.entries()) {
    const value = element(frame);
    if (value instanceof CelError) {
      return value;
    }
    if (!optional.has(index)) {
      values.push(value);
    } else if (!(value instanceof Optional)) {
      return celError(
        `cannot initialize optional list element from non-optional value ${display(value)}`,
      );
    } else if (value.value !== undefined) {
      values.push(value.value);
    }
  }
  return arrayList(values);
}

export interface EntryPlan {
  readonly key: Evaluate;
  readonly value: Evaluate;
  readonly optional: boolean;
}

/** A map literal; of equal keys the last one counts. */
export function collectMap(entries: readonly EntryPlan[]): Evaluate {
  return (frame) => {
    const result = mapOf(frame, entries);
    frame.charge(MAP_CREATE_COST);
    return result;
  };
}

function mapOf(frame: Frame, entries: readonly EntryPlan[]): Result {
  const map = new EntryMap();
  for (const { key, value, optional } of entries) {
    const entryKey = key(frame);
    if (entryKey instanceof CelError) {
      return entryKey;
    }
    const entryValue = value(frame);
    if (entryValue instanceof CelError) {
      return entryValue;
    }
    const failure = insert(map, entryKey, entryValue, optional);
    if (failure !== undefined) {
      return failure;
    }
  }
  return map;
}

/** An optional entry without a value takes back what an earlier one of its key gave. */
function insert(map: EntryMap, key: Value, value: Value, optional: boolean): CelError | undefined {
  if (!optional) {
    map.set(key, value);
  } else if (!(value instanceof Optional)) {
    const [shownKey, shownValue] = [display(key), display(value)];
    return celError(
      `cannot initialize optional entry '${shownKey}' from non-optional value ${shownValue}`,
    );
  } else if (value.value === undefined) {
    map.delete(key);
  } else {
    map.set(key, value.value);
  }
  return undefined;
}

/** An object literal. Objects of a schema cannot be made in expressions. */
export function collectStruct(
  name: string,
  fields: readonly {
    readonly name: string;
    readonly value: Evaluate;
    readonly optional: boolean;
  }[],
): Evaluate {
  return (frame) => {
    for (const { value } of fields) {
      const result = value(frame);
      if (result instanceof CelError) {
        frame.charge(STRUCT_CREATE_COST);
        return result;
      }
    }
    frame.charge(STRUCT_CREATE_COST);
    return celError(`unknown type '${name}'`);
  };
}
