import { CostLimitExceeded } from '../values/errors.ts';

export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

export function upperAscii(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** Unicode's white space, which JavaScript's own trim has with U+FEFF and without U+0085. */
const SPACE =
  '\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const SPACES = new RegExp(`[${SPACE}]`);

export function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && SPACES.test(text[start] ?? '')) start++;
  while (end > start && SPACES.test(text[end - 1] ?? '')) end--;
  return text.slice(start, end);
}

/** At most so many parts, all when negative. */
export function split(text: string, separator: string, count: bigint): string[] {
  if (count === 0n) return [];
  const parts = separator === '' ? [...text] : text.split(separator);
  if (count < 0n || count >= parts.length) return parts;
  const retained = parts.slice(0, Number(count) - 1);
  return [...retained, parts.slice(retained.length).join(separator)];
}

/** Nothing is found before every character and at the end. */
export function replace(text: string, what: string, by: string, count: bigint): string {
  const places = what === '' ? ['', ...text] : text.split(what);
  const pieces = what === '' ? [...places, ''] : places;
  const limit = count < 0n ? BigInt(pieces.length - 1) : count;
  const replaced = limit < pieces.length - 1 ? Number(limit) : pieces.length - 1;
  refuseLongText(text.length + replaced * (by.length - what.length));
  const head = pieces.slice(0, replaced + 1).join(by);
  return (
    head +
    pieces
      .slice(replaced + 1)
      .map((piece) => what + piece)
      .join('')
  );
}

/** Upstream counts only the text that is changed, and so lets it grow by its own length at one stroke. */
const TEXT_LENGTH_MAX = 16 * 1024 * 1024;

function refuseLongText(length: number): void {
  if (length > TEXT_LENGTH_MAX) throw new CostLimitExceeded();
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['\\', '\\\\'],
  ['"', '\\"'],
]);

/** As a literal; what is not valid becomes U+FFFD. */
export function quote(text: string): string {
  const escaped = Array.from(text.toWellFormed(), (letter) => ESCAPES.get(letter) ?? letter).join(
    '',
  );
  return `"${escaped}"`;
}
