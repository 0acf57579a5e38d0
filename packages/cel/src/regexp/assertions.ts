import {
  type Assertion,
  BEGIN_LINE,
  BEGIN_TEXT,
  END_LINE,
  END_TEXT,
  NO_WORD_BOUNDARY,
  WORD_BOUNDARY,
} from './node.ts';

/** In place of a character before the first and behind the last. */
export const NOTHING = -1;
const NEWLINE = 0x0a;

/** Everything that holds between two characters. */
export function assertionsBetween(before: number, after: number): Assertion {
  let found = isWord(before) === isWord(after) ? NO_WORD_BOUNDARY : WORD_BOUNDARY;
  if (before === NOTHING) found |= BEGIN_TEXT | BEGIN_LINE;
  else if (before === NEWLINE) found |= BEGIN_LINE;
  if (after === NOTHING) found |= END_TEXT | END_LINE;
  else if (after === NEWLINE) found |= END_LINE;
  return found;
}

/** The kind of a character for the next assertion: a representative. */
export function kindOfCharacter(point: number, assertions: Assertion): number {
  if (point === NEWLINE && (assertions & (BEGIN_LINE | END_LINE)) !== 0) return NEWLINE;
  const asksForWords = (assertions & (WORD_BOUNDARY | NO_WORD_BOUNDARY)) !== 0;
  return asksForWords && isWord(point) ? 0x61 : 0x20;
}

function isWord(point: number): boolean {
  return (
    (point >= 0x61 && point <= 0x7a) ||
    (point >= 0x41 && point <= 0x5a) ||
    (point >= 0x30 && point <= 0x39) ||
    point === 0x5f
  );
}
