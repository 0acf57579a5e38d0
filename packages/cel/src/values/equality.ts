import { CelError } from './errors.ts';
import { compareNumbers, isNumeric } from './numbers.ts';
import { runtimeName } from './types.ts';
import {
  Duration,
  isList,
  isMap,
  type ListValue,
  type MapValue,
  Optional,
  type Step,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './value.ts';

/**
 * Whether two values are the same to `==`: numbers by value across their types, lists and maps by
 * their elements. The error is that of data which does not fit its schema.
 */
export function equal(left: Value, right: Value, step: Step): boolean | CelError {
  step();
  if (left === null || right === null) {
    return left === right;
  }
  if (isNumeric(left)) {
    return isNumeric(right) && compareNumbers(left, right) === 0;
  }
  if (typeof left !== 'object') {
    return left === right;
  }
  if (isList(left)) {
    return left.equals?.(right, step) ?? (isList(right) && equalLists(left, right, step));
  }
  if (isMap(left)) {
    return left.equals?.(right, step) ?? (isMap(right) && equalMaps(left, right, step));
  }
  return equalObjects(left, right, step);
}

function equalObjects(
  left: Exclude<Value, ListValue | MapValue | null | string | boolean | number | bigint>,
  right: Value,
  step: Step,
): boolean | CelError {
  if (left instanceof Uint8Array) {
    return right instanceof Uint8Array && Buffer.compare(left, right) === 0;
  }
  if (left instanceof Timestamp) {
    return right instanceof Timestamp && left.nanoseconds === right.nanoseconds;
  }
  if (left instanceof Duration) {
    return right instanceof Duration && left.nanoseconds === right.nanoseconds;
  }
  if (left instanceof TypeValue) {
    return right instanceof TypeValue && runtimeName(left.type) === runtimeName(right.type);
  }
  if (left instanceof Optional) {
    if (!(right instanceof Optional) || left.value === undefined || right.value === undefined) {
      return right instanceof Optional && left.value === right.value;
    }
    return equal(left.value, right.value, step);
  }
  return left instanceof Uint ? false : left.equals(right, step);
}

/** Finding two parts to compare takes several times as long as comparing them. */
export const STEPS_PER_PART = 4;

/** As upstream, only a plain "no" makes lists different: an element that cannot be compared does not. */
export function equalLists(left: ListValue, right: ListValue, step: Step): boolean {
  if (left.size !== right.size) {
    return false;
  }
  for (let index = 0; index < left.size; index++) {
    const ours = left.at(index);
    const theirs = right.at(index);
    if (ours instanceof CelError || theirs instanceof CelError) {
      continue;
    }
    step(STEPS_PER_PART);
    if (equal(ours, theirs, step) === false) {
      return false;
    }
  }
  return true;
}

function equalMaps(left: MapValue, right: MapValue, step: Step): boolean {
  if (left.size !== right.size) {
    return false;
  }
  for (const key of left.keys()) {
    const ours = left.get(key);
    const theirs = right.get(key);
    if (theirs === undefined) {
      return false;
    }
    if (ours instanceof CelError || theirs instanceof CelError || ours === undefined) {
      continue;
    }
    step(STEPS_PER_PART);
    if (equal(ours, theirs, step) === false) {
      return false;
    }
  }
  return true;
}

/** `value in list`. */
export function contains(list: ListValue, value: Value, step: Step): boolean | CelError {
  if (list.contains !== undefined) {
    return list.contains(value, step);
  }
  for (let index = 0; index < list.size; index++) {
    const element = list.at(index);
    if (!(element instanceof CelError) && equal(value, element, step) === true) {
      return true;
    }
  }
  return false;
}
