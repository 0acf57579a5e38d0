/** The sets with a name: `\d`, `[:alpha:]` and `\p{Greek}`. */
import type { ClassPart } from './character-class.ts';
import { INVALID_RANGE, RegexpError } from './regexp-error.ts';
import { unicodeProperty } from './unicode-names.ts';

const DIGIT = '09';
const SPACE = '\t\n\f\r  ';
const WORD = '09AZ__az';

const PERL: Readonly<Record<string, string>> = { d: DIGIT, s: SPACE, w: WORD };

/** Pairs of first and last. */
const POSIX: Readonly<Record<string, string>> = {
  alnum: '09AZaz',
  alpha: 'AZaz',
  ascii: '\0\x7f',
  blank: '\t\t  ',
  cntrl: '\0\x1f\x7f\x7f',
  digit: DIGIT,
  graph: '!~',
  lower: 'az',
  print: ' ~',
  punct: '!/:@[`{~',
  space: '\t\r  ',
  upper: 'AZ',
  word: WORD,
  xdigit: '09AFaf',
};

export interface FoundGroup {
  readonly part: ClassPart;
  /** Where the text goes on. */
  readonly end: number;
}

/** `\d`, `\D` and the like at a place of the pattern. */
export function perlGroup(pattern: string, at: number, fold: boolean): FoundGroup | undefined {
  const letter = pattern[at + 1] ?? '';
  const pairs = pattern[at] === '\\' ? own(PERL, letter.toLowerCase()) : undefined;
  if (pairs === undefined) return undefined;
  return { part: pairPart(pairs, fold, letter < 'a'), end: at + 2 };
}

/** `[:alpha:]` within brackets. */
export function posixGroup(pattern: string, at: number, fold: boolean): FoundGroup | undefined {
  if (!pattern.startsWith('[:', at)) return undefined;
  const close = pattern.indexOf(':]', at + 2);
  if (close < 0) return undefined;
  const negated = pattern[at + 2] === '^';
  const pairs = own(POSIX, pattern.slice(at + (negated ? 3 : 2), close));
  const end = close + 2;
  if (pairs === undefined) throw new RegexpError(INVALID_RANGE, pattern.slice(at, end));
  return { part: pairPart(pairs, fold, negated), end };
}

/** `\pL`, `\p{Greek}`, `\P{^Greek}`. */
export function unicodeGroup(pattern: string, at: number, fold: boolean): FoundGroup | undefined {
  if (!/^\\[pP]/.test(pattern.slice(at, at + 2))) return undefined;
  if (at + 2 >= pattern.length) throw new RegexpError(INVALID_RANGE, pattern.slice(at));
  const { name, end } = groupName(pattern, at);
  const inverted = name.startsWith('^');
  const property = unicodeProperty(inverted ? name.slice(1) : name);
  if (property === undefined) throw new RegexpError(INVALID_RANGE, pattern.slice(at, end));
  const negated = (pattern[at + 1] === 'P') !== inverted;
  return {
    part: { ranges: [], property: new RegExp(`\\p{${property}}`, 'u'), fold, negated },
    end,
  };
}

function groupName(pattern: string, at: number): { name: string; end: number } {
  if (pattern[at + 2] !== '{') {
    const name = String.fromCodePoint(pattern.codePointAt(at + 2) ?? 0);
    return { name, end: at + 2 + name.length };
  }
  const close = pattern.indexOf('}', at);
  if (close < 0) throw new RegexpError(INVALID_RANGE, pattern.slice(at));
  return { name: pattern.slice(at + 3, close), end: close + 1 };
}

function pairPart(pairs: string, fold: boolean, negated: boolean): ClassPart {
  const ranges = Array.from(pairs, (character) => character.charCodeAt(0));
  return { ranges, property: undefined, fold, negated };
}

function own(table: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
