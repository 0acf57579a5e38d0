import { isMap } from './type.ts';

/** A value of a document as Go's library prints it within messages. */
export function goPrint(value: unknown): string {
  return `&{${printed(value)}}`;
}

function printed(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(printed).join(' ')}]`;
  if (!isMap(value)) return String(value);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${name}:${printed(value[name])}`);
  return `map[${members.join(' ')}]`;
}
