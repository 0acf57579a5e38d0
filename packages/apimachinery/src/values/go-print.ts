import { compareText } from './compare-text.ts';
import { printGoNumber } from './go-value.ts';

/** Limits the text of a value in a message; a patch may have 3 MiB. */
const printedCharactersMax = 10_000;
/** Deeper values print as `...`. */
const printedDepthMax = 100;

/** Go's `%v` of a decoded JSON value: `map[a:1 b:[x y] c:<nil>]`. */
export function printGo(value: unknown): string {
  const text = print(value, 0);
  return text.length > printedCharactersMax ? `${text.slice(0, printedCharactersMax)}...` : text;
}

/** Go's `%s` of a decoded JSON value, which marks everything but strings as the wrong type. */
export function printGoAsString(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '%!s(<nil>)';
  if (Array.isArray(value)) return `[${value.map(printGoAsString).join(' ')}]`;
  if (typeof value === 'object') return printGo(value);
  return `%!s(${goTypeName(value)}=${printGo(value)})`;
}

/** Go's `reflect.TypeOf` of a decoded JSON value. Whole numbers within 64 bits are int64. */
export function goTypeName(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int64';
    case 'number':
      return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? 'int64' : 'float64';
    case 'object':
      if (value === null) return 'nil';
      return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
    case 'undefined':
    case 'function':
    case 'symbol':
      return 'nil';
  }
}

function print(value: unknown, depth: number): string {
  if (typeof value === 'number') return printGoNumber(value);
  if (value === null || value === undefined) return '<nil>';
  if (typeof value !== 'object') return String(value);
  if (depth > printedDepthMax) return '...';
  if (Array.isArray(value)) return `[${value.map((one) => print(one, depth + 1)).join(' ')}]`;
  const members = Object.entries(value)
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, member]) => `${name}:${print(member, depth + 1)}`);
  return `map[${members.join(' ')}]`;
}
