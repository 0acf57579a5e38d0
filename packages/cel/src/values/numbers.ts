import { type CelError, celError } from './errors.ts';
import { runtimeName } from './types.ts';
import { typeOfValue, Uint, type Value } from './value.ts';

export type Numeric = bigint | number | Uint;

export const INT_MIN = -(2n ** 63n);
export const INT_MAX = 2n ** 63n - 1n;
export const UINT_MAX = 2n ** 64n - 1n;

export function isNumeric(value: Value): value is Numeric {
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof Uint;
}

/** Negative, zero or positive; NaN, which is less than, equal to and greater than nothing, gives NaN. */
export function compareNumbers(left: Numeric, right: Numeric): number {
  const [ours, theirs] = [plain(left), plain(right)];
  if (typeof ours === typeof theirs) {
    return order(ours, theirs);
  }
  // Upstream compares an integer with a double as doubles, once the double is within the range.
  if (typeof ours === 'number') {
    return compareMixed(ours, theirs as bigint, right instanceof Uint);
  }
  return -compareMixed(theirs as number, ours, left instanceof Uint);
}

function compareMixed(double: number, integer: bigint, unsigned: boolean): number {
  if (double < (unsigned ? 0 : Number(INT_MIN))) {
    return -1;
  }
  if (double > Number(unsigned ? UINT_MAX : INT_MAX)) {
    return 1;
  }
  return order(double, Number(integer));
}

function plain(value: Numeric): bigint | number {
  return value instanceof Uint ? value.value : value;
}

function order(left: bigint | number, right: bigint | number): number {
  if (left < right) {
    return -1;
  }
  if (left > right) {
    return 1;
  }
  return left === right ? 0 : Number.NaN;
}

const INT_OVERFLOW = celError('integer overflow');
const UINT_OVERFLOW = celError('unsigned integer overflow');

/** The number as an int, or the error of one that does not fit. */
export function toInt(value: bigint): bigint | CelError {
  return BigInt.asIntN(64, value) === value ? value : INT_OVERFLOW;
}

export function toUint(value: bigint): Uint | CelError {
  return BigInt.asUintN(64, value) === value ? new Uint(value) : UINT_OVERFLOW;
}

export function doubleToInt(value: number): bigint | CelError {
  return Number.isFinite(value) && value > Number(INT_MIN) && value < Number(INT_MAX)
    ? BigInt(Math.trunc(value))
    : INT_OVERFLOW;
}

export function doubleToUint(value: number): Uint | CelError {
  return Number.isFinite(value) && value >= 0 && value < 2 ** 64
    ? new Uint(BigInt(Math.trunc(value)))
    : UINT_OVERFLOW;
}

/** The index a value stands for in a list, or upstream's words for one that stands for none. */
export function listIndex(value: Value): bigint | CelError {
  if (typeof value === 'bigint') {
    return value;
  }
  const plainValue = value instanceof Uint ? value.value : value;
  if (typeof plainValue === 'bigint') {
    return plainValue <= INT_MAX
      ? plainValue
      : celError(`unsupported index value ${plainValue} in list`);
  }
  if (typeof value === 'number') {
    const integer = doubleToInt(value);
    return typeof integer === 'bigint' && Number(integer) === value
      ? integer
      : celError(`unsupported index value ${value} in list`);
  }
  return celError(`unsupported index type '${runtimeName(typeOfValue(value))}' in list`);
}
