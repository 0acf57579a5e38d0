const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const LABELS = Buffer.from('labels');

const utf8 = new TextDecoder('utf-8');
const NO_LABELS: Readonly<Record<string, string>> = Object.freeze({});

/**
 * The labels of an object, read from its bytes without parsing the rest: selectors ask every object
 * of a list. `at` is where the fields of the metadata begin. The bytes were written by a JSON
 * encoder; on those that were not, the answer means nothing, but the search ends.
 */
export function readLabels(bytes: Uint8Array, at: number): Readonly<Record<string, string>> {
  const range = findLabels(bytes, at);
  if (range === undefined) return NO_LABELS;
  const labels: unknown = JSON.parse(utf8.decode(bytes.subarray(range.start, range.end)));
  return isRecord(labels) ? labels : NO_LABELS;
}

/** Validation has seen to it that the values are strings before anything was stored. */
function isRecord(labels: unknown): labels is Record<string, string> {
  return typeof labels === 'object' && labels !== null;
}

function findLabels(bytes: Uint8Array, at: number): { start: number; end: number } | undefined {
  let index = skipSpace(bytes, at);
  while (bytes[index] === QUOTE) {
    const key = index + 1;
    index = skipString(bytes, index);
    const found = isLabels(bytes, key, index - 1);
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

function isLabels(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start !== LABELS.length) return false;
  for (let index = 0; index < LABELS.length; index += 1) {
    if (bytes[start + index] !== LABELS[index]) return false;
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
