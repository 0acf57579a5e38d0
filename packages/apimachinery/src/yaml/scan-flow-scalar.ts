/** Scalars that are allowed in flow collections: plain and quoted ones. */
import {
  isBlank,
  isBlankOrBreakOrEnd,
  isBreak,
  type Mark,
  type YamlCursor,
} from './yaml-cursor.ts';

export interface PlainContext {
  readonly inFlow: boolean;
  /** Lines with less indentation end the scalar. */
  readonly indent: number;
}

export interface PlainScalar {
  readonly text: string;
  /** The scalar ended at a line break, so that a key may follow. */
  readonly endedLine: boolean;
}

const plainInBlock = /[^:\s\u0085\u2028\u2029]+/y;
const plainInFlow = /[^:,?[\]{}\s\u0085\u2028\u2029]+/y;
const flowIndicators = /[,?[\]{}]/;

export function scanPlainScalar(cursor: YamlCursor, { inFlow, indent }: PlainContext): PlainScalar {
  const start = cursor.mark;
  const pattern = inFlow ? plainInFlow : plainInBlock;
  let text = '';
  let gap: Gap = { whitespace: '', lines: undefined };
  while (!cursor.isDocumentIndicator() && cursor.code() !== hash) {
    const before = text.length;
    while (!isBlankOrBreakOrEnd(cursor.code())) {
      if (cursor.code() === colon && isBlankOrBreakOrEnd(cursor.code(1))) break;
      if (inFlow && flowIndicators.test(cursor.character())) break;
      text += joined(gap);
      gap = { whitespace: '', lines: undefined };
      // Unicode white space, which YAML does not treat as such, and colons inside the scalar are consumed one by one.
      text += cursor.take(pattern) || takeCharacter(cursor);
    }
    if (text.length === before && gap.lines !== undefined) break;
    if (!isBlank(cursor.code()) && !isBreak(cursor.code())) break;
    gap = scanGap(cursor, { start, indent });
    if (!inFlow && cursor.column < indent) break;
  }
  return { text, endedLine: gap.lines !== undefined };
}

/** Single-quoted scalars escape quotes by doubling, double-quoted ones use backslashes. */
export function scanQuotedScalar(cursor: YamlCursor): string {
  const start = cursor.mark;
  const quote = cursor.code();
  const isSingle = quote === apostrophe;
  const pattern = isSingle ? singleQuoted : doubleQuoted;
  let text = '';
  cursor.position += 1;
  for (;;) {
    if (cursor.isDocumentIndicator()) {
      throw cursor.problem('found unexpected document indicator', start);
    }
    if (cursor.atEnd) throw cursor.problem('found unexpected end of stream', start);
    let escapedBreak = false;
    while (!isBlankOrBreakOrEnd(cursor.code())) {
      if (isSingle && cursor.code() === quote && cursor.code(1) === quote) {
        text += "'";
        cursor.position += 2;
      } else if (cursor.code() === quote) {
        break;
      } else if (!isSingle && cursor.code() === backslash) {
        if (isBreak(cursor.code(1))) {
          cursor.position += 1;
          cursor.lineBreak();
          escapedBreak = true;
          break;
        }
        text += scanEscape(cursor, start);
      } else {
        text += cursor.take(pattern) || takeCharacter(cursor);
      }
    }
    if (!escapedBreak && cursor.code() === quote) break;
    text += joined(scanGap(cursor, { start, escapedBreak }));
  }
  cursor.position += 1;
  return text;
}

/** The white space between two words: blanks in one line, or line breaks. */
interface Gap {
  readonly whitespace: string;
  readonly lines: { readonly first: string; readonly others: string } | undefined;
}

interface GapContext {
  readonly start: Mark;
  readonly indent?: number;
  readonly escapedBreak?: boolean;
}

/** Rejects tabs in the indentation of a plain scalar. */
function scanGap(cursor: YamlCursor, { start, indent = 0, escapedBreak }: GapContext): Gap {
  let whitespace = '';
  let lines = escapedBreak === true ? { first: '', others: '' } : undefined;
  for (;;) {
    if (isBlank(cursor.code())) {
      if (lines !== undefined && cursor.column < indent && cursor.code() === tab) {
        throw cursor.problem('found a tab character that violates indentation', start);
      }
      const blank = takeCharacter(cursor);
      if (lines === undefined) whitespace += blank;
    } else if (isBreak(cursor.code())) {
      const text = cursor.lineBreak();
      lines =
        lines === undefined
          ? { first: text, others: '' }
          : { first: lines.first, others: lines.others + text };
    } else {
      return { whitespace: lines === undefined ? whitespace : '', lines };
    }
  }
}

/** Folds line breaks: a single one becomes a space, otherwise the first is dropped. */
function joined({ whitespace, lines }: Gap): string {
  if (lines === undefined) return whitespace;
  if (lines.first !== '\n') return lines.first + lines.others;
  return lines.others === '' ? ' ' : lines.others;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['0', '\0'],
  ['a', '\x07'],
  ['b', '\b'],
  ['t', '\t'],
  ['\t', '\t'],
  ['n', '\n'],
  ['v', '\v'],
  ['f', '\f'],
  ['r', '\r'],
  ['e', '\x1b'],
  [' ', ' '],
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
  ['N', '\u0085'],
  ['_', '\u00a0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
]);
const hexadecimalDigits: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

function scanEscape(cursor: YamlCursor, start: Mark): string {
  const escaped = cursor.character(1);
  const digits = hexadecimalDigits.get(escaped);
  if (digits === undefined) {
    const text = escapes.get(escaped);
    if (text === undefined) throw cursor.problem('found unknown escape character', start);
    cursor.position += 2;
    return text;
  }
  cursor.position += 2;
  const text = cursor.source.slice(cursor.position, cursor.position + digits);
  if (text.length < digits || !/^[0-9a-fA-F]+$/.test(text)) {
    throw cursor.problem('did not find expected hexdecimal number', start);
  }
  const code = Number.parseInt(text, 16);
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) {
    throw cursor.problem('found invalid Unicode character escape code', start);
  }
  cursor.position += digits;
  return String.fromCodePoint(code);
}

function takeCharacter(cursor: YamlCursor): string {
  const character = cursor.character();
  cursor.position += 1;
  return character;
}

const tab = 0x09;
const hash = 0x23;
const apostrophe = 0x27;
const colon = 0x3a;
const backslash = 0x5c;
const singleQuoted = /[^'\s\u0085\u2028\u2029]+/y;
const doubleQuoted = /[^"\\\s\u0085\u2028\u2029]+/y;
