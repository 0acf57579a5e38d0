import { type CelError, celError, NO_SUCH_OVERLOAD } from '../values/errors.ts';
import { compareNumbers, isNumeric } from '../values/numbers.ts';
import { Duration, Timestamp, type Value } from '../values/value.ts';

const NOT_ORDERED = celError('NaN values cannot be ordered');

/** The left operands of `<`. */
export function isComparable(value: Value): boolean {
  return (
    isNumeric(value) ||
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    value instanceof Uint8Array ||
    value instanceof Timestamp ||
    value instanceof Duration
  );
}

/** Negative, zero or positive; the error of values that have no order. */
export function compareValues(left: Value, right: Value): number | CelError {
  if (isNumeric(left)) {
    if (!isNumeric(right)) {
      return Number.isNaN(left) ? NOT_ORDERED : NO_SUCH_OVERLOAD;
    }
    const order = compareNumbers(left, right);
    return Number.isNaN(order) ? NOT_ORDERED : order;
  }
  if (typeof left === 'string') {
    return typeof right === 'string' ? compareStrings(left, right) : NO_SUCH_OVERLOAD;
  }
  if (typeof left === 'boolean') {
    return typeof right === 'boolean' ? Number(left) - Number(right) : NO_SUCH_OVERLOAD;
  }
  if (left instanceof Uint8Array) {
    return right instanceof Uint8Array ? Buffer.compare(left, right) : NO_SUCH_OVERLOAD;
  }
  const times =
    (left instanceof Timestamp && right instanceof Timestamp) ||
    (left instanceof Duration && right instanceof Duration);
  return times ? compareNumbers(left.nanoseconds, right.nanoseconds) : NO_SUCH_OVERLOAD;
}

/** Strings by their code points, which is the order of their UTF-8 bytes. */
export function compareStrings(left: string, right: string): number {
  const end = Math.min(left.length, right.length);
  for (let index = 0; index < end; index++) {
    const ours = left.charCodeAt(index);
    const theirs = right.charCodeAt(index);
    if (ours !== theirs) {
      return isSurrogate(ours) === isSurrogate(theirs)
        ? ours - theirs
        : Number(isSurrogate(ours)) - Number(isSurrogate(theirs));
    }
  }
  return left.length - right.length;
}

/** Half of a character above U+FFFF, which is greater than any character below. */
function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
