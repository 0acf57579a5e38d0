import { formatGoFloat } from '../values/go-float.ts';
import { goQuote } from '../values/go-quote.ts';

/** Limits the text of a value in a message. */
const printedCharactersMax = 1_000;

/** Go's `%#v` of a decoded YAML value, for messages about keys that are not strings. */
export function goSyntax(value: unknown): string {
  const text = print(value, 0);
  return text.length > printedCharactersMax ? `${text.slice(0, printedCharactersMax)}...` : text;
}

function print(value: unknown, depth: number): string {
  if (value === null || value === undefined) return depth === 0 ? '<nil>' : 'interface {}(nil)';
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') return formatGoFloat(value);
  if (typeof value !== 'object') return String(value);
  if (depth > 20) return '...';
  if (Array.isArray(value)) {
    return `[]interface {}{${value.map((one) => print(one, depth + 1)).join(', ')}}`;
  }
  const members = Object.entries(value).map(
    ([name, member]) => `${goQuote(name)}:${print(member, depth + 1)}`,
  );
  return `map[interface {}]interface {}{${members.join(', ')}}`;
}
