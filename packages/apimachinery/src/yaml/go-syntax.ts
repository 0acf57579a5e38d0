import { goQuote } from '../values/go-quote.ts';
import { formatGoFloat } from './go-float.ts';

/** How much of a value is shown. */
const shownCharactersMax = 1_000;

/** A decoded YAML value as Go's `%#v` prints it; it is seen in the messages about keys that are no text. */
export function goSyntax(value: unknown): string {
  const text = print(value, 0);
  return text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}...` : text;
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
