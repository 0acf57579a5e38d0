import { parseGoDuration, parseGoInt64, parseGoUint64, parseTime } from '@tributary/apimachinery';
import { traversalCost } from '../declarations/estimate.ts';
import type { FunctionDeclaration, Overload } from '../declarations/library.ts';
import { goFloat, plainDecimal } from '../values/display.ts';
import { type CelError, celError } from '../values/errors.ts';
import { doubleToInt, doubleToUint, toInt, toUint } from '../values/numbers.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  runtimeName,
  STRING,
  TIMESTAMP,
  type Type,
  typeOf,
  typeParameter,
  UINT,
} from '../values/types.ts';
import {
  Duration,
  type Result,
  sizeOf,
  type Timestamp,
  TypeValue,
  typeOfValue,
  Uint,
  type Value,
} from '../values/value.ts';
import { toTimestamp } from './arithmetic.ts';
import { formatTimestamp, NANOSECONDS } from './timestamp-format.ts';

const A = typeParameter('A');

/** `int(…)`, `string(…)` and the like, `type(…)` and `dyn(…)`. */
export const CONVERSIONS: readonly FunctionDeclaration[] = [
  {
    name: 'type',
    overloads: [convert('type', A, typeOf(A), (value) => new TypeValue(typeOfValue(value)))],
  },
  { name: 'dyn', overloads: [convert('to_dyn', A, DYN, same)] },
  {
    name: 'bool',
    overloads: [
      convert('bool_to_bool', BOOL, BOOL, same),
      convert('string_to_bool', STRING, BOOL, (text) => parseBool(String(text))),
    ],
  },
  {
    name: 'bytes',
    overloads: [
      convert('bytes_to_bytes', BYTES, BYTES, same),
      byText(
        convert('string_to_bytes', STRING, BYTES, (text) => new TextEncoder().encode(String(text))),
      ),
    ],
  },
  {
    name: 'double',
    overloads: [
      convert('double_to_double', DOUBLE, DOUBLE, same),
      convert('int64_to_double', INT, DOUBLE, (value) => Number(value)),
      convert('string_to_double', STRING, DOUBLE, (text) => parseDouble(String(text))),
      convert('uint64_to_double', UINT, DOUBLE, (value) => Number((value as Uint).value)),
    ],
  },
  {
    name: 'duration',
    overloads: [
      convert('duration_to_duration', DURATION, DURATION, same),
      convert('int64_to_duration', INT, DURATION, () => impossible(INT, DURATION)),
      convert('string_to_duration', STRING, DURATION, (text) => parseDuration(String(text))),
    ],
  },
  {
    name: 'int',
    overloads: [
      convert('int64_to_int64', INT, INT, same),
      convert('double_to_int64', DOUBLE, INT, (value) => doubleToInt(Number(value))),
      convert('duration_to_int64', DURATION, INT, (value) => (value as Duration).nanoseconds),
      convert('string_to_int64', STRING, INT, (text) => parseInteger(String(text))),
      convert('timestamp_to_int64', TIMESTAMP, INT, (value) => secondsOf(value as Timestamp)),
      convert('uint64_to_int64', UINT, INT, (value) => toInt((value as Uint).value)),
    ],
  },
  {
    name: 'string',
    overloads: [
      convert('string_to_string', STRING, STRING, same),
      convert('bool_to_string', BOOL, STRING, (value) => String(value)),
      byText(convert('bytes_to_string', BYTES, STRING, (value) => decode(value as Uint8Array))),
      convert('double_to_string', DOUBLE, STRING, (value) => goFloat(Number(value))),
      convert('duration_to_string', DURATION, STRING, (value) => secondsText(value as Duration)),
      convert('int64_to_string', INT, STRING, (value) => String(value)),
      convert('timestamp_to_string', TIMESTAMP, STRING, (value) =>
        formatTimestamp(value as Timestamp),
      ),
      convert('uint64_to_string', UINT, STRING, (value) => String((value as Uint).value)),
    ],
  },
  {
    name: 'timestamp',
    overloads: [
      convert('timestamp_to_timestamp', TIMESTAMP, TIMESTAMP, same),
      convert('int64_to_timestamp', INT, TIMESTAMP, (value) =>
        toTimestamp(BigInt(value as bigint) * NANOSECONDS),
      ),
      convert('string_to_timestamp', STRING, TIMESTAMP, (text) => parseTimestamp(String(text))),
    ],
  },
  {
    name: 'uint',
    overloads: [
      convert('uint64_to_uint64', UINT, UINT, same),
      convert('double_to_uint64', DOUBLE, UINT, (value) => doubleToUint(Number(value))),
      convert('int64_to_uint64', INT, UINT, (value) => toUint(BigInt(value as bigint))),
      convert('string_to_uint64', STRING, UINT, (text) => parseUnsigned(String(text))),
    ],
  },
];

function convert(id: string, from: Type, to: Type, conversion: (value: Value) => Result): Overload {
  return {
    id,
    member: false,
    parameters: [from],
    result: to,
    call: ([value]) => (value === undefined ? impossible(from, to) : conversion(value)),
  };
}

/** Costs a tenth of the size of what is converted. */
function byText(overload: Overload): Overload {
  return { ...overload, actualCost: ([value]) => traversalCost(sizeOf(value ?? null)) };
}

function same(value: Value): Value {
  return value;
}

function impossible(from: Type, to: Type): CelError {
  return celError(`type conversion error from '${runtimeName(from)}' to '${runtimeName(to)}'`);
}

function parseBool(text: string): Result {
  switch (text) {
    case '1':
    case 't':
    case 'T':
    case 'true':
    case 'TRUE':
    case 'True':
      return true;
    case '0':
    case 'f':
    case 'F':
    case 'false':
    case 'FALSE':
    case 'False':
      return false;
    default:
      return impossible(STRING, BOOL);
  }
}

function parseInteger(text: string): Result {
  const parsed = parseGoInt64(text);
  return parsed.ok ? parsed.value : impossible(STRING, INT);
}

function parseUnsigned(text: string): Result {
  const parsed = parseGoUint64(text);
  return parsed.ok ? new Uint(parsed.value) : impossible(STRING, UINT);
}

const DECIMAL = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
const INFINITY = /^([+-]?)inf(?:inity)?$/i;
const HEXADECIMAL = /^([+-]?)0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?[0-9]+)$/;

/** Reads what Go's `ParseFloat` reads; a number that no double can hold is refused. */
export function parseDouble(text: string): Result {
  const infinity = INFINITY.exec(text);
  if (infinity !== null) {
    return infinity[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  if (/^nan$/i.test(text)) {
    return Number.NaN;
  }
  const value = DECIMAL.test(text) ? Number(text) : parseHexadecimal(text);
  return Number.isFinite(value) ? value : impossible(STRING, DOUBLE);
}

function parseHexadecimal(text: string): number {
  const parts = HEXADECIMAL.exec(text);
  const [, sign, whole = '', fraction = '', exponent = ''] = parts ?? [];
  if (parts === null || whole + fraction === '' || whole.length + fraction.length > 32) {
    return Number.NaN;
  }
  const magnitude =
    Number(BigInt(`0x${whole}${fraction}`)) * 2 ** (Number(exponent) - 4 * fraction.length);
  return sign === '-' ? -magnitude : magnitude;
}

function parseDuration(text: string): Result {
  const parsed = parseGoDuration(text);
  return parsed.ok ? new Duration(parsed.nanoseconds) : impossible(STRING, DURATION);
}

function parseTimestamp(text: string): Result {
  const parsed = parseTime(text);
  return parsed.ok ? toTimestamp(parsed.nanoseconds) : impossible(STRING, TIMESTAMP);
}

function secondsOf({ nanoseconds }: Timestamp): bigint {
  const rest = ((nanoseconds % NANOSECONDS) + NANOSECONDS) % NANOSECONDS;
  return (nanoseconds - rest) / NANOSECONDS;
}

/** Seconds as a decimal number; Go adds the whole seconds and the fraction as doubles. */
export function secondsText({ nanoseconds }: Duration): string {
  const seconds = Number(nanoseconds / NANOSECONDS) + Number(nanoseconds % NANOSECONDS) / 1e9;
  return `${plainDecimal(seconds)}s`;
}

function decode(bytes: Uint8Array): Result {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // The decoder throws for exactly one reason.
    return celError('invalid UTF-8 in bytes, cannot convert to string');
  }
}
