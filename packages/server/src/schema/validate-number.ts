/** Rules for numbers. Upstream has two kinds, int64 and float64, and bounds are float64 in any case. */
import { fieldError, goText, root } from '@tributary/apimachinery';
import type { Bound, SchemaNode } from './schema-node.ts';
import type { Walk } from './walk.ts';

type JsonNumber = number | bigint;

/** Whole numbers within 2^53 count as integers, as clients write them; larger integers are bigint. */
export function isFloat(value: JsonNumber): value is number {
  return typeof value === 'number' && !Number.isSafeInteger(value);
}

/** Whether a float is close enough to a whole number within 2^53. */
export function isJsonInteger(value: number): boolean {
  if (!(value >= -(2 ** 53) && value < 2 ** 53)) return false;
  if (Number.isInteger(value)) return true;
  const whole = Math.trunc(value);
  return whole > 0 && (value - whole) / (value + whole) < 1e-9;
}

export function validateNumber(node: SchemaNode, value: JsonNumber, walk: Walk): void {
  const { multipleOf, minimum, maximum } = node;
  validateRange(node, value, 'Checked', walk);
  if (multipleOf !== undefined) {
    const fits = validateRange(node, multipleOf, 'MultipleOf', walk);
    validateMultiple(value, multipleOf, fits && !isFloat(value), walk);
  }
  if (minimum !== undefined) {
    const fits = validateRange(node, minimum.value, 'Minimum boundary', walk);
    validateBound(value, minimum, { low: true, asInteger: fits && !isFloat(value) }, walk);
  }
  if (maximum !== undefined) {
    const fits = validateRange(node, maximum.value, 'Maximum boundary', walk);
    validateBound(value, maximum, { low: false, asInteger: fits && !isFloat(value) }, walk);
  }
}

/** A schema of one type bounds every number, also those in its own rules. */
function validateRange(node: SchemaNode, number: JsonNumber, what: string, walk: Walk): boolean {
  const { types, format } = node;
  if (types.length !== 1 || fitsRange(types[0], format, number)) return true;
  const kind = format === '' ? '(default format)' : `with format ${format}`;
  walk.addUnplaced(`${what} value must be of type ${types[0]} ${kind} in ${walk.path}`);
  return false;
}

/** From here on the nearest float32 is infinite. */
const FLOAT32_END = 3.4028235677973366e38;

function fitsRange(type: string | undefined, format: string, number: JsonNumber): boolean {
  if (type === 'number') return format !== 'float' || Math.abs(Number(number)) < FLOAT32_END;
  if (type !== 'integer') return true;
  if (Number.isSafeInteger(number))
    return format !== 'int32' || Number(number) === (Number(number) | 0);
  if (typeof number === 'number' && !Number.isInteger(number)) return false;
  const integer = BigInt(number);
  return format !== 'int32' && BigInt.asIntN(64, integer) === integer;
}

function validateMultiple(value: JsonNumber, factor: number, asInteger: boolean, walk: Walk): void {
  const used = asInteger ? Math.trunc(factor) : factor;
  if (used <= 0) {
    const text = bound(used, asInteger);
    const detail = `factor MultipleOf declared for ${walk.path} must be positive: ${text}`;
    walk.add(fieldError.invalid(root(walk.path), used, detail));
  } else if (!(asInteger ? dividesInteger(value, used) : dividesFloat(Number(value), used))) {
    walk.addInvalid(shown(value), `should be a multiple of ${bound(used, asInteger)}`);
  }
}

function dividesInteger(value: JsonNumber, factor: number): boolean {
  return typeof value === 'number' ? value % factor === 0 : value % BigInt(factor) === 0n;
}

function dividesFloat(value: number, factor: number): boolean {
  return isJsonInteger(factor < 1 ? (1 / factor) * value : value / factor);
}

function validateBound(
  value: JsonNumber,
  { value: given, exclusive }: Bound,
  { low, asInteger }: { low: boolean; asInteger: boolean },
  walk: Walk,
): void {
  const limit = asInteger ? Math.trunc(given) : given;
  // Comparisons of a bigint with a number are exact, and neither is true of equal ones.
  const isBelow = value < limit;
  const isAbove = value > limit;
  if (!(low ? isBelow : isAbove) && !(exclusive && !isBelow && !isAbove)) return;
  const than = low ? 'greater than' : 'less than';
  const relation = exclusive ? than : `${than} or equal to`;
  walk.addInvalid(shown(value), `should be ${relation} ${bound(limit, asInteger)}`);
}

function bound(limit: number, asInteger: boolean): string {
  return asInteger ? String(BigInt(limit)) : formatFloat(limit);
}

function shown(value: JsonNumber): unknown {
  return isFloat(value) ? goText(formatFloat(value)) : value;
}

/** As Go's `%v` prints a float64, whole or not: with an exponent of at least two digits below 1e-4 and from 1e6 on. */
function formatFloat(value: number): string {
  const magnitude = Math.abs(value);
  if (magnitude === 0 || (magnitude >= 1e-4 && magnitude < 1e6)) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}
