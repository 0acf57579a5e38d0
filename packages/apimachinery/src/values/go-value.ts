import { goQuote } from './go-quote.ts';

/**
 * A value as field errors show it: strings quoted, numbers and booleans plain, everything else
 * compact JSON with sorted keys and with `<`, `>` and `&` escaped, as Go marshals a map.
 */
export function printGoValue(value: unknown): string {
  if (value instanceof GoText) return value.text;
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') return printGoNumber(value);
  return goJson(value);
}

/** A value whose text is already known, for those whose Go type prints in another way than its JSON value. */
export function goText(text: string): GoText {
  return new GoText(text);
}

export class GoText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * A number as Go's `%v` prints it. A whole number within 64 bits is taken for an int64 and prints its digits;
 * a float64 has an exponent of at least two digits below 1e-4 and from 1e6 on.
 */
export function printGoNumber(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const magnitude = Math.abs(value);
  if (Number.isInteger(value) && magnitude < 2 ** 63) return String(value);
  if (magnitude >= 1e-4 && magnitude < 1e6) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}

/** The compact JSON that Go's `json.Marshal` makes of a map: sorted keys, HTML characters escaped. */
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
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map(([key, member]) => `${goJsonString(key)}:${goJson(member)}`);
  return `{${members.join(',')}}`;
}

function goJsonString(text: string): string {
  return JSON.stringify(text.toWellFormed()).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
