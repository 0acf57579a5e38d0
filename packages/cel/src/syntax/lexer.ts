import type { Issue } from './source.ts';

/** Kinds of tokens; operators and brackets are their own text. */
export type TokenKind =
  | 'identifier'
  | 'quoted-identifier'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'end'
  | (typeof PUNCTUATION)[number]
  | (typeof KEYWORDS)[number];

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** In UTF-16 units. */
  readonly start: number;
}

export interface Tokens {
  readonly tokens: readonly Token[];
  readonly issues: readonly Issue[];
  /** Skipped text without a token. */
  readonly skipped: readonly Span[];
}

/** A part of the text, from its start up to its end. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const KEYWORDS = ['in', 'true', 'false', 'null'] as const;

/** Longer ones first, so that the first that fits is the longest. */
const PUNCTUATION = [
  '==',
  '!=',
  '<=',
  '>=',
  '&&',
  '||',
  '<',
  '>',
  '[',
  ']',
  '{',
  '}',
  '(',
  ')',
  '.',
  ',',
  '-',
  '!',
  '?',
  ':',
  '+',
  '*',
  '/',
  '%',
] as const;

const SPACE = /[\t \r\n\f]+/y;
const COMMENT = /\/\/[^\n]*/y;
const NUMBER =
  /0x[0-9a-fA-F]+[uU]?|(?:[0-9]+\.[0-9]+|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|[0-9]+[uU]?/y;
const IDENTIFIER = /[A-Za-z_][A-Za-z0-9_]*/y;
const QUOTED_IDENTIFIER = /`[A-Za-z0-9_.\-/ ]+`/y;
const STRING_START = /([bB]?)([rR]?)("""|'''|"|')/y;
const ESCAPE =
  /\\(?:[abfnrtv"'\\?`]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})/y;

/** The text as tokens, the last one `end`. Text without a token is skipped and reported, as upstream does. */
export function tokenize(text: string): Tokens {
  const tokens: Token[] = [];
  const issues: Issue[] = [];
  const skipped: Span[] = [];
  let position = 0;
  while (position < text.length) {
    const blank = matchAt(SPACE, text, position) ?? matchAt(COMMENT, text, position);
    if (blank !== undefined) {
      position += blank.length;
      continue;
    }
    const found = scan(text, position);
    if ('failed' in found) {
      issues.push({
        offset: position,
        message: `Syntax error: token recognition error at: '${text.slice(position, found.failed)}'`,
      });
      skipped.push({ start: position, end: found.failed });
      position = found.failed;
      continue;
    }
    tokens.push({ ...found, start: position });
    position += found.text.length;
  }
  tokens.push({ kind: 'end', text: '<EOF>', start: text.length });
  return { tokens, issues, skipped };
}

type Scanned = { readonly kind: TokenKind; readonly text: string } | { readonly failed: number };

function scan(text: string, position: number): Scanned {
  const literal = scanString(text, position);
  if (literal !== undefined && !('failed' in literal)) {
    return literal;
  }
  const word = matchAt(IDENTIFIER, text, position);
  if (word !== undefined) {
    // A prefix of a broken string, such as the b of b"\q, is still an identifier.
    return { kind: isKeyword(word) ? word : 'identifier', text: word };
  }
  if (literal !== undefined) {
    return literal;
  }
  const number = matchAt(NUMBER, text, position);
  if (number !== undefined) {
    return { kind: numberKind(number), text: number };
  }
  const quoted = matchAt(QUOTED_IDENTIFIER, text, position);
  if (quoted !== undefined) {
    return { kind: 'quoted-identifier', text: quoted };
  }
  const sign = PUNCTUATION.find((candidate) => text.startsWith(candidate, position));
  return sign === undefined ? { failed: failure(text, position) } : { kind: sign, text: sign };
}

function isKeyword(word: string): word is (typeof KEYWORDS)[number] {
  return (KEYWORDS as readonly string[]).includes(word);
}

function numberKind(number: string): TokenKind {
  if (/[uU]$/.test(number)) {
    return 'uint';
  }
  return number.startsWith('0x') || /^[0-9]+$/.test(number) ? 'int' : 'double';
}

/** Where a failed attempt at a token ends: after the first character that fits none. */
function failure(text: string, position: number): number {
  let end = position;
  if (text[position] === '`') {
    end++;
    while (end < text.length && /[A-Za-z0-9_.\-/ ]/.test(text[end] as string)) {
      end++;
    }
    return afterCharacter(text, end);
  }
  // '&', '|' and '=' begin a longer sign; the next character is the one that fails.
  return /[&|=]/.test(text[position] as string)
    ? afterCharacter(text, position + 1)
    : afterCharacter(text, position);
}

function afterCharacter(text: string, position: number): number {
  const point = text.codePointAt(position);
  return point === undefined ? text.length : position + (point > 0xffff ? 2 : 1);
}

function scanString(text: string, position: number): Scanned | undefined {
  STRING_START.lastIndex = position;
  const start = STRING_START.exec(text);
  if (start === null) {
    return undefined;
  }
  const [prefix, bytes, raw, quote] = start as unknown as [string, string, string, string];
  const kind = bytes === '' ? 'string' : 'bytes';
  if (quote.length === 3) {
    const triple = closeString(text, position + prefix.length, quote, raw !== '');
    if (triple.closed) {
      return { kind, text: text.slice(position, triple.end) };
    }
    // """ without an end is an empty string followed by something else.
    return { kind, text: text.slice(position, position + prefix.length - 1) };
  }
  const { closed, end } = closeString(text, position + prefix.length, quote, raw !== '');
  return closed ? { kind, text: text.slice(position, end) } : { failed: afterCharacter(text, end) };
}

function closeString(
  text: string,
  from: number,
  quote: string,
  raw: boolean,
): { closed: boolean; end: number } {
  let position = from;
  while (position < text.length) {
    if (text.startsWith(quote, position)) {
      return { closed: true, end: position + quote.length };
    }
    const character = text[position] as string;
    if (character === '\\' && !raw) {
      const sequence = matchAt(ESCAPE, text, position);
      if (sequence === undefined) {
        return { closed: false, end: brokenEscape(text, position) };
      }
      position += sequence.length;
      continue;
    }
    if (quote.length === 1 && (character === '\n' || character === '\r')) {
      return { closed: false, end: position };
    }
    position++;
  }
  return { closed: false, end: position };
}

/** The first character that cannot belong to an escape begun at a backslash. */
function brokenEscape(text: string, backslash: number): number {
  const partial = /\\(?:[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7}|[0-3][0-7]?)?/y;
  return backslash + (matchAt(partial, text, backslash)?.length ?? 1);
}

function matchAt(pattern: RegExp, text: string, position: number): string | undefined {
  pattern.lastIndex = position;
  return pattern.exec(text)?.[0];
}
