/** The text after an opening bracket: flags, a name, or nothing. */
import { INVALID_GROUP, INVALID_NAME, RegexpError } from './regexp-error.ts';

export interface Flags {
  /** `i`: letters match without case. */
  readonly fold: boolean;
  /** Not `m`: `^` and `$` are the ends of the text. */
  readonly oneLine: boolean;
  /** `s`: a dot matches a newline. */
  readonly dotNewline: boolean;
  /** `U`: repetitions take as little as they can, and `x*?` as much. */
  readonly lazy: boolean;
}

export const DEFAULT_FLAGS: Flags = { fold: false, oneLine: true, dotNewline: false, lazy: false };

export interface ParsedGroup {
  /** From here on. */
  readonly flags: Flags;
  readonly captures: boolean;
  /** `(?i)` only changes flags. */
  readonly opens: boolean;
  readonly end: number;
}

export function parseGroup(pattern: string, at: number, flags: Flags): ParsedGroup {
  if (pattern[at + 1] !== '?') return { flags, captures: true, opens: true, end: at + 1 };
  return parseName(pattern, at, flags) ?? parseFlags(pattern, at, flags);
}

function parseName(pattern: string, at: number, flags: Flags): ParsedGroup | undefined {
  const rest = pattern.length - at;
  const hasP = rest > 4 && pattern.startsWith('P<', at + 2);
  if (!hasP && !(rest > 3 && pattern[at + 2] === '<')) return undefined;
  const close = pattern.indexOf('>', at);
  if (close < 0) throw new RegexpError(INVALID_NAME, pattern.slice(at));
  const name = pattern.slice(at + (hasP ? 4 : 3), close);
  if (!/^[0-9A-Za-z_]+$/.test(name)) {
    throw new RegexpError(INVALID_NAME, pattern.slice(at, close + 1));
  }
  return { flags, captures: true, opens: true, end: close + 1 };
}

function parseFlags(pattern: string, at: number, flags: Flags): ParsedGroup {
  let changed = flags;
  let isOn = true;
  let sawFlag = false;
  let end = at + 2;
  while (end < pattern.length) {
    const letter = String.fromCodePoint(pattern.codePointAt(end) ?? 0);
    end += letter.length;
    if (letter === ':' || letter === ')') {
      if (!isOn && !sawFlag) break;
      return { flags: changed, captures: false, opens: letter === ':', end };
    }
    if (letter === '-') {
      if (!isOn) break;
      isOn = false;
      sawFlag = false;
      continue;
    }
    const next = withFlag(changed, letter, isOn);
    if (next === undefined) break;
    changed = next;
    sawFlag = true;
  }
  throw new RegexpError(INVALID_GROUP, pattern.slice(at, end));
}

function withFlag(flags: Flags, letter: string, isOn: boolean): Flags | undefined {
  switch (letter) {
    case 'i':
      return { ...flags, fold: isOn };
    case 'm':
      return { ...flags, oneLine: !isOn };
    case 's':
      return { ...flags, dotNewline: isOn };
    case 'U':
      return { ...flags, lazy: isOn };
    default:
      return undefined;
  }
}
