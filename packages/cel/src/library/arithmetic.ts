import { CelError, celError, NO_SUCH_OVERLOAD } from '../values/errors.ts';
import { concatenated, GrowingList } from '../values/lists.ts';
import { toInt, toUint } from '../values/numbers.ts';
import { Duration, isList, type Result, Timestamp, Uint, type Value } from '../values/value.ts';

const DIVISION_BY_ZERO = celError('division by zero');
const MODULUS_BY_ZERO = celError('modulus by zero');
const TIMESTAMP_OVERFLOW = celError('timestamp overflow');

/** The first and the last instant, in seconds since 1970: the years 1 to 9999. */
const SECONDS_MIN = -62_135_596_800n;
const SECONDS_MAX = 253_402_300_799n;
const NANOSECONDS = 1_000_000_000n;

/** The left operands of `+`. */
export function isAddable(value: Value): boolean {
  switch (typeof value) {
    case 'bigint':
    case 'number':
    case 'string':
      return true;
    case 'object':
      return value instanceof Uint8Array || (value !== null && ADDABLE_KINDS.has(value.kind));
    default:
      return false;
  }
}

const ADDABLE_KINDS: ReadonlySet<string> = new Set(['uint', 'duration', 'timestamp', 'list']);

export function add(left: Value, right: Value): Result {
  if (typeof left === 'bigint' && typeof right === 'bigint') {
    return toInt(left + right);
  }
  if (typeof left === 'number' && typeof right === 'number') {
    return left + right;
  }
  if (typeof left === 'string' && typeof right === 'string') {
    return left + right;
  }
  if (left instanceof Uint && right instanceof Uint) {
    return toUint(left.value + right.value);
  }
  if (isList(left) && isList(right)) {
    if (left instanceof GrowingList) {
      left.append(right);
      return left;
    }
    return left.plus?.(right) ?? concatenated(left, right);
  }
  if (left instanceof Uint8Array && right instanceof Uint8Array) {
    return new Uint8Array(Buffer.concat([left, right]));
  }
  return addTimes(left, right);
}

function addTimes(left: Value, right: Value): Result {
  if (left instanceof Duration && right instanceof Duration) {
    return toDuration(left.nanoseconds + right.nanoseconds);
  }
  if (left instanceof Timestamp && right instanceof Duration) {
    return toTimestamp(left.nanoseconds + right.nanoseconds);
  }
  if (left instanceof Duration && right instanceof Timestamp) {
    return toTimestamp(left.nanoseconds + right.nanoseconds);
  }
  return NO_SUCH_OVERLOAD;
}

export function subtract(left: Value, right: Value): Result {
  if (typeof left === 'bigint' && typeof right === 'bigint') {
    return toInt(left - right);
  }
  if (typeof left === 'number' && typeof right === 'number') {
    return left - right;
  }
  if (left instanceof Uint && right instanceof Uint) {
    return toUint(left.value - right.value);
  }
  if (left instanceof Duration && right instanceof Duration) {
    return toDuration(left.nanoseconds - right.nanoseconds);
  }
  if (left instanceof Timestamp && right instanceof Duration) {
    return toTimestamp(left.nanoseconds - right.nanoseconds);
  }
  if (left instanceof Timestamp && right instanceof Timestamp) {
    return toDuration(left.nanoseconds - right.nanoseconds);
  }
  return NO_SUCH_OVERLOAD;
}

export function multiply(left: Value, right: Value): Result {
  if (typeof left === 'bigint' && typeof right === 'bigint') {
    return toInt(left * right);
  }
  if (typeof left === 'number' && typeof right === 'number') {
    return left * right;
  }
  return left instanceof Uint && right instanceof Uint
    ? toUint(left.value * right.value)
    : NO_SUCH_OVERLOAD;
}

export function divide(left: Value, right: Value): Result {
  if (typeof left === 'bigint' && typeof right === 'bigint') {
    return right === 0n ? DIVISION_BY_ZERO : toInt(left / right);
  }
  if (typeof left === 'number' && typeof right === 'number') {
    return left / right;
  }
  if (left instanceof Uint && right instanceof Uint) {
    return right.value === 0n ? DIVISION_BY_ZERO : new Uint(left.value / right.value);
  }
  return NO_SUCH_OVERLOAD;
}

export function modulo(left: Value, right: Value): Result {
  if (typeof left === 'bigint' && typeof right === 'bigint') {
    if (right === 0n) {
      return MODULUS_BY_ZERO;
    }
    // The quotient of the smallest int and -1 does not fit, and upstream refuses the rest with it.
    const quotient = toInt(left / right);
    return quotient instanceof CelError ? quotient : left % right;
  }
  if (left instanceof Uint && right instanceof Uint) {
    return right.value === 0n ? MODULUS_BY_ZERO : new Uint(left.value % right.value);
  }
  return NO_SUCH_OVERLOAD;
}

export function negate(value: Value): Result {
  if (typeof value === 'bigint') {
    return toInt(-value);
  }
  if (typeof value === 'number') {
    return -value;
  }
  return value instanceof Duration ? toDuration(-value.nanoseconds) : NO_SUCH_OVERLOAD;
}

/** A length of time that fits, or the error of one that does not. */
export function toDuration(nanoseconds: bigint): Duration | CelError {
  const checked = toInt(nanoseconds);
  return checked instanceof CelError ? checked : new Duration(checked);
}

/** An instant within the years 1 to 9999, or the error of one that is not. */
export function toTimestamp(nanoseconds: bigint): Timestamp | CelError {
  return nanoseconds >= SECONDS_MIN * NANOSECONDS && nanoseconds < (SECONDS_MAX + 1n) * NANOSECONDS
    ? new Timestamp(nanoseconds)
    : TIMESTAMP_OVERFLOW;
}
