/** `'%s of %d'.format([…])`, in the English that upstream's printer speaks: `1,234.50` and `1.234500×10⁰³`. */
import { goQuote } from '@tributary/apimachinery';
import { goFloat } from '../values/display.ts';
import { CelError, celError } from '../values/errors.ts';
import { runtimeName } from '../values/types.ts';
import {
  Duration,
  isList,
  isMap,
  type ListValue,
  type MapValue,
  type Result,
  type Step,
  Timestamp,
  TypeValue,
  typeOfValue,
  Uint,
  type Value,
} from '../values/value.ts';
import { toFixedExactly, toScientificExactly } from './exact-decimal.ts';
import { type Clause, FormatError, interpretFormat } from './format-clauses.ts';
import { secondsText } from './standard-conversions.ts';
import { formatTimestamp } from './timestamp-format.ts';

const DEFAULT_PRECISION = 6;

export function formatString(pattern: string, args: ListValue, step: Step): Result {
  const formatted = interpretFormat(pattern, {
    count: args.size,
    format(clause, index) {
      const value = args.at(index);
      return value instanceof CelError
        ? new FormatError(value.message)
        : formatClause(clause, value, step);
    },
  });
  return formatted instanceof FormatError ? celError(formatted.message) : formatted.text;
}

/** Decimals of doubles are made exactly, which takes long. */
const STEPS_PER_DOUBLE = 250;
const STEPS_PER_ELEMENT = 16;
const CHARACTERS_PER_STEP = 4;

function formatClause({ verb, precision }: Clause, value: Value, step: Step): string | FormatError {
  step(verb === 'f' || verb === 'e' ? STEPS_PER_DOUBLE : STEPS_PER_ELEMENT);
  switch (verb) {
    case 's':
      return formatText(value, step);
    case 'd':
      return integerOf(value)?.toString() ?? REFUSALS.decimal(typeName(value));
    case 'f':
      return formatFixed(value, precision ?? DEFAULT_PRECISION);
    case 'e':
      return formatScientific(value, precision ?? DEFAULT_PRECISION);
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0';
      return integerOf(value)?.toString(2) ?? REFUSALS.binary(typeName(value));
    case 'x':
      return formatHexadecimal(value);
    case 'X': {
      const text = formatHexadecimal(value);
      return typeof text === 'string' ? text.toUpperCase() : text;
    }
    case 'o':
      return integerOf(value)?.toString(8) ?? REFUSALS.octal(typeName(value));
  }
}

/** Why a value does not fit a clause; also said when the types of arguments are known before. */
export const REFUSALS = {
  binary: (type: string) =>
    new FormatError(`only integers and bools can be formatted as binary, was given ${type}`),
  decimal: (type: string) =>
    new FormatError(`decimal clause can only be used on integers, was given ${type}`),
  fixed: (type: string) =>
    new FormatError(`fixed-point clause can only be used on doubles, was given ${type}`),
  hexadecimal: (type: string) =>
    new FormatError(
      `only integers, byte buffers, and strings can be formatted as hex, was given ${type}`,
    ),
  octal: (type: string) =>
    new FormatError(`octal clause can only be used on integers, was given ${type}`),
  scientific: (type: string) =>
    new FormatError(`scientific clause can only be used on doubles, was given ${type}`),
  text: (type: string) =>
    new FormatError(
      `string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given ${type}`,
    ),
} as const;

function typeName(value: Value): string {
  return runtimeName(typeOfValue(value));
}

function integerOf(value: Value): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return value instanceof Uint ? value.value : undefined;
}

function doubleOf(value: Value): number | undefined {
  if (typeof value === 'number') return value;
  switch (value) {
    case 'NaN':
      return Number.NaN;
    case 'Infinity':
      return Number.POSITIVE_INFINITY;
    case '-Infinity':
      return Number.NEGATIVE_INFINITY;
    default:
      return undefined;
  }
}

function formatFixed(value: Value, precision: number): string | FormatError {
  const double = doubleOf(value);
  if (double === undefined) return REFUSALS.fixed(typeName(value));
  if (!Number.isFinite(double)) return notFinite(double);
  // Upstream's printer keeps the precision in a byte, where 256 is the same as none.
  const digits = precision & 0xff;
  const text =
    digits === 0 && precision > 0
      ? goFloat(Math.abs(double))
      : toFixedExactly(Math.abs(double), digits);
  const [whole = '', fraction] = text.split('.');
  const grouped = whole.replace(/\B(?=(?:[0-9]{3})+$)/g, ',');
  return `${double < 0 ? '-' : ''}${grouped}${fraction === undefined ? '' : `.${fraction}`}`;
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** There are always six digits: upstream takes the precision for the width. */
function formatScientific(value: Value, width: number): string | FormatError {
  const double = doubleOf(value);
  if (double === undefined) return REFUSALS.scientific(typeName(value));
  if (!Number.isFinite(double)) return notFinite(double).padStart(width);
  const { mantissa, exponent } = toScientificExactly(double, DEFAULT_PRECISION);
  const digits = String(Math.abs(exponent)).padStart(2, '0');
  const raised = [...digits].map((digit) => SUPERSCRIPTS[Number(digit)]).join('');
  const sign = double < 0 ? '-' : '';
  return `${sign}${mantissa}×10${exponent < 0 ? '⁻' : ''}${raised}`.padStart(width);
}

function notFinite(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '∞' : '-∞';
}

function formatHexadecimal(value: Value): string | FormatError {
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return integerOf(value)?.toString(16) ?? REFUSALS.hexadecimal(typeName(value));
}

/** `%s` of a value that stands alone. */
function formatText(value: Value, step: Step): string | FormatError {
  if (value === null) return 'null';
  if (isList(value)) return formatList(value, step);
  if (isMap(value)) return formatMap(value, step);
  if (value instanceof Uint8Array) return decodeBytes(value);
  return simpleText(value) ?? REFUSALS.text(typeName(value));
}

function simpleText(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return goFloat(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return secondsText(value);
  return value instanceof TypeValue ? runtimeName(value.type) : undefined;
}

function decodeBytes(bytes: Uint8Array): string | FormatError {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // The decoder throws for nothing but bytes that are no text.
    const cause = goQuote('invalid UTF-8 in bytes, cannot convert to string');
    return new FormatError(`could not convert argument ${cause} to string`);
  }
}

function formatList(list: ListValue, step: Step): string | FormatError {
  const parts: string[] = [];
  for (let index = 0; index < list.size; index++) {
    const part = formatElement(list.at(index), step);
    if (part instanceof FormatError) return part;
    parts.push(part);
  }
  return `[${parts.join(', ')}]`;
}

function formatMap(map: MapValue, step: Step): string | FormatError {
  const entries: (readonly [string, string])[] = [];
  for (const key of map.keys()) {
    const isKey = ['string', 'boolean'].includes(typeof key) || integerOf(key) !== undefined;
    if (!isKey) {
      return new FormatError(`no formatting function for map key of type ${typeName(key)}`);
    }
    const name = formatElement(key, step);
    const value = formatElement(map.get(key) ?? null, step);
    if (name instanceof FormatError) return name;
    if (value instanceof FormatError) return value;
    entries.push([name, value]);
  }
  entries.sort(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  return `{${entries.map(([name, value]) => `${name}:${value}`).join(', ')}}`;
}

/** Within a list or map values look as in an expression. */
function formatElement(value: Result, step: Step): string | FormatError {
  step(stepsOf(value));
  if (value instanceof CelError) return new FormatError(value.message);
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') {
    return Number.isFinite(value)
      ? toFixedExactly(value, DEFAULT_PRECISION)
      : goQuote(goFloat(value));
  }
  if (value instanceof Timestamp) return `timestamp(${goQuote(formatTimestamp(value))})`;
  if (value instanceof Duration) return `duration(${goQuote(secondsText(value))})`;
  if (value instanceof Uint8Array) {
    const text = decodeBytes(value);
    return text instanceof FormatError ? text : `b${goQuote(text)}`;
  }
  if (value === null || isList(value) || isMap(value)) return formatText(value, step);
  return simpleText(value) ?? new FormatError(`no formatting function for ${typeName(value)}`);
}

function stepsOf(value: Result): number {
  if (typeof value === 'number') return STEPS_PER_DOUBLE;
  return STEPS_PER_ELEMENT + (typeof value === 'string' ? value.length / CHARACTERS_PER_STEP : 0);
}
