const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;

/** Where a value stands in bytes. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * The value of a member of a JSON object, found without parsing. `at` is where the members begin, behind the brace.
 * The bytes were written by a JSON encoder; on those that were not, the answer means nothing, but the search ends.
 */
export function findMember(bytes: Uint8Array, at: number, name: Uint8Array): Range | undefined {
  let index = skipSpace(bytes, at);
  while (bytes[index] === QUOTE) {
    const key = index + 1;
    index = skipString(bytes, index);
    const found = equals(bytes, { start: key, end: index - 1 }, name);
    // Behind the key: white space, a colon, white space.
    const start = skipSpace(bytes, skipSpace(bytes, index) + 1);
    const end = skipValue(bytes, start);
    if (found) return { start, end };
    index = skipSpace(bytes, end);
    if (bytes[index] !== COMMA) return undefined;
    index = skipSpace(bytes, index + 1);
  }
  return undefined;
}

function equals(bytes: Uint8Array, { start, end }: Range, text: Uint8Array): boolean {
  if (end - start !== text.length) return false;
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[start + index] !== text[index]) return false;
  }
  return true;
}

function skipSpace(bytes: Uint8Array, at: number): number {
  let index = at;
  while (index < bytes.length && (bytes[index] ?? 0) <= 0x20) index += 1;
  return index;
}

/** Behind the closing quote of the string that begins at `at`. */
function skipString(bytes: Uint8Array, at: number): number {
  let index = at + 1;
  while (index < bytes.length) {
    const byte = bytes[index];
    if (byte === QUOTE) return index + 1;
    index += byte === BACKSLASH ? 2 : 1;
  }
  return bytes.length;
}

/** Behind the value that begins at `at`. */
function skipValue(bytes: Uint8Array, at: number): number {
  let depth = 0;
  let index = at;
  while (index < bytes.length) {
    const byte = bytes[index];
    if (byte === QUOTE) {
      index = skipString(bytes, index);
      if (depth === 0) return index;
      continue;
    }
    const closes = byte === CLOSING_BRACE || byte === CLOSING_BRACKET;
    // A number or a literal ends before the comma or brace of what contains it.
    if (depth === 0 && (closes || byte === COMMA)) return index;
    index += 1;
    if (byte === OPENING_BRACE || byte === OPENING_BRACKET) depth += 1;
    if (closes) depth -= 1;
    if (closes && depth === 0) return index;
  }
  return bytes.length;
}
