const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;

/** The position of a value in bytes. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the value of a member of a JSON object without parsing. `at` is the position after the opening brace. The bytes
 * must come from a JSON encoder; for others the result is undefined behaviour, but the search ends.
 */
export function findMember(bytes: Uint8Array, at: number, name: Uint8Array): Range | undefined {
  let index = skipSpace(bytes, at);
  while (bytes[index] === QUOTE) {
    const key = index + 1;
    index = skipString(bytes, index);
    const found = equals(bytes, { start: key, end: index - 1 }, name);
    // After the key: white space, a colon, white space.
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

/** Returns the position after the closing quote of the string that begins at `at`. */
function skipString(bytes: Uint8Array, at: number): number {
  let index = at + 1;
  while (index < bytes.length) {
    const byte = bytes[index];
    if (byte === QUOTE) return index + 1;
    index += byte === BACKSLASH ? 2 : 1;
  }
  return bytes.length;
}

/** Returns the position after the value that begins at `at`. */
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
    // A number or a literal ends before the comma or closing brace of its container.
    if (depth === 0 && (closes || byte === COMMA)) return index;
    index += 1;
    if (byte === OPENING_BRACE || byte === OPENING_BRACKET) depth += 1;
    if (closes) depth -= 1;
    if (closes && depth === 0) return index;
  }
  return bytes.length;
}
