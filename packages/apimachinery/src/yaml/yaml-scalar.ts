/**
 * The type of a plain scalar: YAML 1.1 as Go's library resolves it. `yes` and `on` are booleans, `017` and `0o17` are 15,
 * numbers may contain underscores; base 60 and numbers out of the range of float64 are strings.
 */
import { YamlError } from './yaml-error.ts';

const tagPrefix = 'tag:yaml.org,2002:';
export const binaryTag = `${tagPrefix}binary`;
export const mergeTag = `${tagPrefix}merge`;

/** Tagged by type, because keys and values with the same text may differ: `1` and `1.0`, or `1` and `"1"`. */
export type YamlScalar =
  | { readonly type: 'null'; readonly value: null }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'int'; readonly value: bigint }
  | { readonly type: 'float'; readonly value: number }
  | { readonly type: 'timestamp' | 'str' | 'merge'; readonly value: string };

/** `tag` is the resolved tag, or empty. Throws when the text does not have the type of the tag. */
export function resolveScalar(tag: string, text: string): YamlScalar {
  const type = taggedType(tag);
  if (type === undefined || type === 'str') return { type: 'str', value: text };
  const scalar = resolvePlain(text, type === '' || type === 'timestamp');
  if (type === '' || type === scalar.type) return scalar;
  if (type === 'float' && scalar.type === 'int' && isInt64(scalar.value)) {
    return { type: 'float', value: Number(scalar.value) };
  }
  throw new YamlError(`yaml: cannot decode !!${scalar.type} \`${text}\` as a !!${type}`);
}

/** Whether a plain scalar with this text is a string. */
export function resolvesToString(text: string): boolean {
  return resolvePlain(text, true).type === 'str';
}

/** The type of a tag; undefined for unknown tags, whose scalars are strings. */
function taggedType(tag: string): string | undefined {
  if (tag === '') return '';
  const type = tag.startsWith(tagPrefix) ? tag.slice(tagPrefix.length) : '';
  return ['str', 'bool', 'int', 'float', 'null', 'timestamp'].includes(type) ? type : undefined;
}

/** First characters of scalars that may not be strings, except for the merge key `<<`. */
const mayNotBeString = /^[-+0-9yYnNtTfFoO~.]/;
const keywords = new Map<string, YamlScalar>([
  ...allOf({ type: 'bool', value: true }, 'y Y yes Yes YES true True TRUE on On ON'),
  ...allOf({ type: 'bool', value: false }, 'n N no No NO false False FALSE off Off OFF'),
  ...allOf({ type: 'null', value: null }, '~ null Null NULL'),
  ...allOf({ type: 'float', value: Number.NaN }, '.nan .NaN .NAN'),
  ...allOf({ type: 'float', value: Number.POSITIVE_INFINITY }, '.inf .Inf .INF +.inf +.Inf +.INF'),
  ...allOf({ type: 'float', value: Number.NEGATIVE_INFINITY }, '-.inf -.Inf -.INF'),
]);

function allOf(scalar: YamlScalar, texts: string): [string, YamlScalar][] {
  return texts.split(' ').map((text) => [text, scalar]);
}

function resolvePlain(text: string, mayBeTimestamp: boolean): YamlScalar {
  if (text === '') return { type: 'null', value: null };
  if (!mayNotBeString.test(text)) return { type: 'str', value: text };
  const keyword = keywords.get(text);
  if (keyword !== undefined) return keyword;
  const number = resolveNumber(text, mayBeTimestamp);
  return number ?? { type: 'str', value: text };
}

function resolveNumber(text: string, mayBeTimestamp: boolean): YamlScalar | undefined {
  if (!/^[-+.0-9]/.test(text)) return undefined;
  if (text.startsWith('.')) {
    // Go parses these with underscores only between digits; from other numbers all underscores are removed first.
    const isFraction = /^\.[0-9]+(_[0-9]+)*([eE][-+]?[0-9]+(_[0-9]+)*)?$/.test(text);
    return isFraction ? finite(Number(text.replaceAll('_', ''))) : undefined;
  }
  if (mayBeTimestamp && isTimestamp(text)) return { type: 'timestamp', value: text };
  const digits = text.replaceAll('_', '');
  const integer = parseInteger(digits);
  if (integer !== undefined) return { type: 'int', value: integer };
  const isFloat = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/.test(digits);
  return isFloat ? finite(Number(digits)) : undefined;
}

function finite(value: number): YamlScalar | undefined {
  return Number.isFinite(value) ? { type: 'float', value } : undefined;
}

const integerForms = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))$/;

/** `strconv.ParseInt` with base 0, then `ParseUint` for larger numbers, which allows no sign. */
function parseInteger(digits: string): bigint | undefined {
  const [, sign = '', hexadecimal, binary, octal, decimal] = integerForms.exec(digits) ?? [];
  let magnitude: bigint;
  if (hexadecimal !== undefined) magnitude = BigInt(`0x${hexadecimal}`);
  else if (binary !== undefined) magnitude = BigInt(`0b${binary}`);
  else if (octal !== undefined) magnitude = BigInt(`0o${octal}`);
  else if (decimal !== undefined && decimal.length <= 20) magnitude = BigInt(decimal);
  else return undefined;
  const value = sign === '-' ? -magnitude : magnitude;
  if (isInt64(value)) return value;
  return sign === '' && magnitude < 2n ** 64n ? value : undefined;
}

function isInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

const timestampForms =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})([.,]\d+)?(?:Z|[-+](\d{2}):(\d{2}))| +(\d{1,2}):(\d{1,2}):(\d{1,2})([.,]\d+)?)?$/;

/** The timestamps of Go's library. They stay strings, but affect quoting and what `!!timestamp` allows. */
function isTimestamp(text: string): boolean {
  const match = timestampForms.exec(text);
  if (match === null) return false;
  const [year = 0, month = 0, day = 0] = match.slice(1, 4).map(Number);
  const hour = Number(match[4] ?? match[10] ?? 0);
  const minute = Number(match[5] ?? match[11] ?? 0);
  const second = Number(match[6] ?? match[12] ?? 0);
  const date = new Date(Date.UTC(2000, month - 1, day));
  date.setUTCFullYear(year, month - 1, day);
  const isDate = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && day > 0;
  const isZone = Number(match[8] ?? 0) <= 24 && Number(match[9] ?? 0) < 60;
  return isDate && isZone && hour < 24 && minute < 60 && second < 60;
}
