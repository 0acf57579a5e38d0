/** The value of a literal, or upstream's words for what is wrong with it. */
export type Unescaped<T> = { readonly value: T } | { readonly message: string };

const SIMPLE: ReadonlyMap<string, string> = new Map([
  ['a', '\u0007'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['`', '`'],
  ['?', '?'],
]);

/** The string a token of kind `string` stands for. */
export function unescapeString(token: string): Unescaped<string> {
  const { body, raw } = unquote(token);
  if (raw || !body.includes('\\')) {
    return { value: body };
  }
  let value = '';
  for (const { text, code } of pieces(body)) {
    if (code !== undefined && !isScalar(code)) {
      return { message: 'invalid unicode code point' };
    }
    value += code === undefined ? text : String.fromCodePoint(code);
  }
  return { value };
}

/** The bytes of a token of kind `bytes`: escapes are bytes, other characters are UTF-8. */
export function unescapeBytes(token: string): Unescaped<Uint8Array> {
  const { body, raw } = unquote(token.slice(1));
  if (raw || !body.includes('\\')) {
    return { value: utf8(body) };
  }
  const parts: Uint8Array[] = [];
  for (const { text, code, unicode } of pieces(body)) {
    if (unicode) {
      return { message: 'unable to unescape string' };
    }
    parts.push(code === undefined ? utf8(text) : Uint8Array.of(code));
  }
  const value = Buffer.concat(parts);
  return { value: new Uint8Array(value.buffer, value.byteOffset, value.length) };
}

function unquote(token: string): { body: string; raw: boolean } {
  const raw = /^[rR]/.test(token);
  const quoted = (raw ? token.slice(1) : token).replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  const width = quoted.length >= 6 && /^("""|''')/.test(quoted) ? 3 : 1;
  return { body: quoted.slice(width, -width), raw };
}

interface Piece {
  readonly text: string;
  /** The number of a numeric escape; undefined when the piece stands for its text. */
  readonly code?: number;
  /** `\u` and `\U`, which bytes cannot have. */
  readonly unicode?: boolean;
}

const PIECE =
  /[^\\]+|\\(?:[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|(.))/gsu;

function* pieces(body: string): Generator<Piece> {
  for (const [text, hex, short, long, octal, simple] of body.matchAll(PIECE)) {
    const unicode = short ?? long;
    if (unicode !== undefined) {
      yield { text, code: Number.parseInt(unicode, 16), unicode: true };
    } else if (hex !== undefined) {
      yield { text, code: Number.parseInt(hex, 16) };
    } else if (octal !== undefined) {
      yield { text, code: Number.parseInt(octal, 8) };
    } else {
      yield { text: simple === undefined ? text : (SIMPLE.get(simple) ?? simple) };
    }
  }
}

function isScalar(code: number): boolean {
  return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
