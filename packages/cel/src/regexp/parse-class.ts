/** `[…]` at a place of the pattern. */
import {
  type CharacterClass,
  type ClassPart,
  characterClass,
  rangePart,
} from './character-class.ts';
import { perlGroup, posixGroup, unicodeGroup } from './named-groups.ts';
import { type Escaped, parseEscape } from './parse-escape.ts';
import { INVALID_RANGE, MISSING_BRACKET, RegexpError } from './regexp-error.ts';

export interface ParsedClass {
  readonly class: CharacterClass;
  readonly end: number;
}

export function parseClass(pattern: string, start: number, fold: boolean): ParsedClass {
  const negated = pattern[start + 1] === '^';
  const first = start + (negated ? 2 : 1);
  const parts: ClassPart[] = [];
  let at = first;
  // A bracket in the first place is a character of the class.
  while (pattern[at] !== ']' || at === first) {
    const named =
      posixGroup(pattern, at, fold) ??
      unicodeGroup(pattern, at, fold) ??
      perlGroup(pattern, at, fold) ??
      parseRange(pattern, at, { start, fold });
    parts.push(named.part);
    at = named.end;
  }
  return { class: characterClass(parts, { negated }), end: at + 1 };
}

function parseRange(
  pattern: string,
  at: number,
  { start, fold }: { readonly start: number; readonly fold: boolean },
): { part: ClassPart; end: number } {
  const low = classCharacter(pattern, at, start);
  const isRange = pattern[low.end] === '-' && low.end + 1 < pattern.length;
  // A dash before the closing bracket is a character.
  if (!isRange || pattern[low.end + 1] === ']') {
    return { part: rangePart(low.point, low.point, fold), end: low.end };
  }
  const high = classCharacter(pattern, low.end + 1, start);
  if (high.point < low.point) throw new RegexpError(INVALID_RANGE, pattern.slice(at, high.end));
  return { part: rangePart(low.point, high.point, fold), end: high.end };
}

function classCharacter(pattern: string, at: number, start: number): Escaped {
  const point = pattern.codePointAt(at);
  if (point === undefined) throw new RegexpError(MISSING_BRACKET, pattern.slice(start));
  if (point === 0x5c) return parseEscape(pattern, at);
  return { point, end: at + (point > 0xffff ? 2 : 1) };
}
