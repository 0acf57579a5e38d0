import type { RegexpNode } from './node.ts';

export interface ParsedRepeat {
  /** Negative when a number is too large. */
  readonly min: number;
  readonly max: number;
  readonly end: number;
}

const FORM = /^\{(0|[1-9][0-9]*)(?:(,)(0|[1-9][0-9]*)?)?\}/;
/** Beyond nine digits a number is only large. */
const DIGITS_MAX = 9;

/** `{2}`, `{2,}` or `{2,5}`; nothing when it is not of that form, and then the brace is itself. */
export function parseRepeat(pattern: string, at: number): ParsedRepeat | undefined {
  const found = FORM.exec(pattern.slice(at));
  if (found === null) return undefined;
  const [whole, low = '', comma, high] = found;
  const end = at + whole.length;
  const min = countOf(low);
  if (comma === undefined) return { min, max: min, end };
  if (high === undefined) return { min, max: Number.POSITIVE_INFINITY, end };
  const max = countOf(high);
  return { min: max < 0 ? -1 : min, max, end };
}

function countOf(digits: string): number {
  return digits.length > DIGITS_MAX ? -1 : Number(digits);
}

/** Repetitions within each other make no more than a thousand copies of the innermost. */
export function withinRepeatBound(node: RegexpNode, copies = 1000): boolean {
  switch (node.kind) {
    case 'repeat': {
      const { min, max } = node.repeat;
      // Those of one character, as `*`, count as nothing.
      const isCounted = max !== Number.POSITIVE_INFINITY ? max > 1 || min > 1 : min > 1;
      if (max === 0) return true;
      const count = max === Number.POSITIVE_INFINITY ? min : max;
      if (isCounted && count > copies) return false;
      return withinRepeatBound(node.of, isCounted ? Math.floor(copies / count) : copies);
    }
    case 'group':
      return withinRepeatBound(node.of, copies);
    case 'concatenation':
    case 'alternation':
      return node.parts.every((part) => withinRepeatBound(part, copies));
    default:
      return true;
  }
}
