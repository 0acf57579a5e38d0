import { CelError } from './errors.ts';
import { runtimeName } from './types.ts';
import { type Result, typeOfValue, Uint } from './value.ts';

/** So many elements of a list or map are written into a message. */
const ELEMENTS_MAX = 1000;

/** A value as messages write it: strings bare, lists and maps with their elements. */
export function display(value: Result): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'number':
      return goFloat(value);
    default:
      return value === null ? 'NULL_VALUE' : displayObject(value);
  }
}

function displayObject(value: Exclude<Result, null | boolean | bigint | number | string>): string {
  if (value instanceof CelError) {
    return value.message;
  }
  if (value instanceof Uint8Array) {
    return `[${[...value.subarray(0, ELEMENTS_MAX)].join(' ')}]`;
  }
  if (value instanceof Uint) {
    return String(value.value);
  }
  switch (value.kind) {
    case 'list': {
      const count = Math.min(value.size, ELEMENTS_MAX);
      return `[${Array.from({ length: count }, (_, index) => display(value.at(index))).join(', ')}]`;
    }
    case 'map': {
      const entries = [...value.keys()].slice(0, ELEMENTS_MAX);
      const shown = entries.map((key) => `${display(key)}: ${display(value.get(key) ?? null)}`);
      return `{${shown.join(', ')}}`;
    }
    case 'optional':
      return value.value === undefined ? 'optional.none()' : `optional(${display(value.value)})`;
    case 'type-value':
      return runtimeName(value.type);
    default:
      return runtimeName(typeOfValue(value));
  }
}

/** From this power of ten on Go writes a number with an exponent. */
const EXPONENT_FROM = 6;

/** Go's format `%g`: the shortest digits, and an exponent of at least two digits where it has one. */
export function goFloat(value: number): string {
  if (Number.isNaN(value)) {
    return 'NaN';
  }
  if (!Number.isFinite(value)) {
    return value > 0 ? '+Inf' : '-Inf';
  }
  if (value === 0) {
    return Object.is(value, -0) ? '-0' : '0';
  }
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power < -4 || power >= EXPONENT_FROM) {
    const digits = String(Math.abs(power)).padStart(2, '0');
    return `${mantissa}e${power < 0 ? '-' : '+'}${digits}`;
  }
  return plainDecimal(value);
}

/** The number without an exponent, as Go's 'f' format with the shortest digits. */
export function plainDecimal(value: number): string {
  const text = String(value);
  if (!text.includes('e')) {
    return text;
  }
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const sign = mantissa.startsWith('-') ? '-' : '';
  const digits = mantissa.replace(/[-.]/g, '');
  const point = 1 + Number(exponent);
  if (point <= 0) {
    return `${sign}0.${'0'.repeat(-point)}${digits}`;
  }
  return point >= digits.length
    ? `${sign}${digits.padEnd(point, '0')}`
    : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}
