import { INVALID_ESCAPE, RegexpError, TRAILING_BACKSLASH } from './regexp-error.ts';

export interface Escaped {
  readonly point: number;
  readonly end: number;
}

const CONTROLS: Readonly<Record<string, number>> = {
  a: 7,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
};
const POINT_MAX = 0x10ffff;

/** The character that a backslash and what follows stand for. */
export function parseEscape(pattern: string, at: number): Escaped {
  const point = pattern.codePointAt(at + 1);
  if (point === undefined) throw new RegexpError(TRAILING_BACKSLASH, '');
  const letter = String.fromCodePoint(point);
  const end = at + 1 + letter.length;
  if (letter === 'x') return hexadecimal(pattern, at, end);
  if (letter >= '0' && letter <= '7') return octal(pattern, at, end);
  if (Object.hasOwn(CONTROLS, letter)) return { point: CONTROLS[letter] ?? 0, end };
  // Escaped letters and digits are kept for a meaning; every other ASCII character is itself.
  if (point < 0x80 && !/[0-9A-Za-z]/.test(letter)) return { point, end };
  throw new RegexpError(INVALID_ESCAPE, pattern.slice(at, end));
}

/** Up to three digits; one that is not zero would be a reference to a group. */
function octal(pattern: string, at: number, end: number): Escaped {
  const digits = /^[0-7]{1,3}/.exec(pattern.slice(at + 1, at + 4))?.[0] ?? '';
  if (digits.length === 1 && digits !== '0') {
    throw new RegexpError(INVALID_ESCAPE, pattern.slice(at, end));
  }
  return { point: Number.parseInt(digits, 8), end: at + 1 + digits.length };
}

function hexadecimal(pattern: string, at: number, start: number): Escaped {
  if (pattern[start] === '{') return braced(pattern, at, start + 1);
  const read = [...pattern.slice(start, start + 4)].slice(0, 2).join('');
  const end = start + read.length;
  if (!/^[0-9A-Fa-f]{2}$/.test(read)) throw new RegexpError(INVALID_ESCAPE, pattern.slice(at, end));
  return { point: Number.parseInt(read, 16), end };
}

/** Upstream's complaint ends behind the character that it stumbles over. */
function braced(pattern: string, at: number, start: number): Escaped {
  let point = 0;
  let end = start;
  for (;;) {
    const next = pattern.codePointAt(end);
    if (next === undefined) break;
    const letter = String.fromCodePoint(next);
    end += letter.length;
    if (letter === '}') {
      if (end === start + 1) break;
      return { point, end };
    }
    if (!/[0-9A-Fa-f]/.test(letter)) break;
    point = point * 16 + Number.parseInt(letter, 16);
    if (point > POINT_MAX) break;
  }
  throw new RegexpError(INVALID_ESCAPE, pattern.slice(at, end));
}
