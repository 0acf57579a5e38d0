import { compareText } from './compare-text.ts';
import { formatGoFloat } from './go-float.ts';
import { goQuote } from './go-quote.ts';

/**
 * The text of a value in a field error: strings quoted, numbers as `%v`, everything else as the JSON that Go's
 * `json.Marshal` makes of a map.
 */
export function printGoValue(value: unknown): string {
  if (value instanceof GoText) return value.text;
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') return printGoNumber(value);
  return goJson(value);
}

/** A value with a fixed text, for Go types that print differently from their JSON value. */
export function goText(text: string): GoText {
  return new GoText(text);
}

export class GoText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Go's `%v` of a decoded number: whole numbers within 64 bits are int64, all others float64. */
export function printGoNumber(value: number): string {
  const isInt64 = Number.isInteger(value) && Math.abs(value) < 2 ** 63;
  return isInt64 ? String(value) : formatGoFloat(value);
}

/** Go's `json.Marshal` of a map: compact JSON with sorted keys and escaped HTML characters. */
export function goJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return goJsonString(value);
    case 'number':
      return Number.isFinite(value) ? (Object.is(value, -0) ? '-0' : String(value)) : 'null';
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'object':
      return value === null ? 'null' : goJsonComposite(value);
    case 'undefined':
    case 'function':
    case 'symbol':
      return 'null';
  }
}

function goJsonComposite(value: object): string {
  if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => compareText(a, b))
    .map(([key, member]) => `${goJsonString(key)}:${goJson(member)}`);
  return `{${members.join(',')}}`;
}

function goJsonString(text: string): string {
  return JSON.stringify(text.toWellFormed()).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
