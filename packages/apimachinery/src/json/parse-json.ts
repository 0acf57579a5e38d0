import { setMember } from './json-object.ts';
import { type JsonScan, type JsonScanOptions, scanJson } from './scan-json.ts';

export interface DecodedJson {
  readonly value: unknown;
  readonly duplicateFields: JsonScan['duplicateFields'];
}

/**
 * Decodes a client's document without loss and checks its depth and duplicate keys. Integers beyond 2^53 become
 * bigint, unpaired surrogates the replacement character. `__proto__` is an ordinary key.
 */
export function decodeJson(bytes: Uint8Array, options?: JsonScanOptions): DecodedJson {
  return decodeScannedJson(bytes, scanJson(bytes, options));
}

/** The second half of `decodeJson`; large documents yield to the event loop between the two. */
export function decodeScannedJson(bytes: Uint8Array, scan: JsonScan): DecodedJson {
  const text = textOf(bytes);
  const value = scan.needsLosslessParse ? parseLossless(text) : parseNative(text);
  return { value, duplicateFields: scan.duplicateFields };
}

/**
 * Parses trusted bytes, such as stored objects, without the checks for depth and duplicate keys. Throws the same
 * errors as `decodeJson`.
 */
export function parseJson(bytes: Uint8Array): unknown {
  const text = textOf(bytes);
  if (maybeLossy.test(text)) return decodeJson(bytes).value;
  try {
    return parseNative(text);
  } catch (error) {
    scanJson(bytes); // throws the error with Go's message
    throw error;
  }
}

/**
 * Matches numbers of sixteen digits or more or with an exponent of three digits, and escaped surrogates. It may match inside
 * strings, but not in a uid: each object has one, and many contain an `e` followed by digits.
 */
const maybeLossy = /(?:^|[\s:,[])-?(?:[0-9]{16}|[0-9.]+[eE]\+?[0-9]{3})|\\u[dD]/;

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}

function parseNative(text: string): unknown {
  return JSON.parse(text);
}

/** The slow path, for text that the scan accepted. Iterative, because documents may nest deeply. */
function parseLossless(text: string): unknown {
  const open: Container[] = [];
  let key = '';
  let result: unknown;
  const tokens = new Tokens(text);
  for (let token = tokens.next(); token !== undefined; token = tokens.next()) {
    if (token.kind === 'close') {
      open.pop();
      continue;
    }
    const parent = open.at(-1);
    if (token.kind === 'key') {
      key = token.text;
      continue;
    }
    const value = token.kind === 'open' ? token.container : token.value;
    if (parent === undefined) result = value;
    else if (Array.isArray(parent)) parent.push(value);
    else setMember(parent, key, value);
    if (token.kind === 'open') open.push(token.container);
  }
  return result;
}

type Container = unknown[] | Record<string, unknown>;

type Token =
  | { kind: 'open'; container: Container }
  | { kind: 'close' }
  | { kind: 'key'; text: string }
  | { kind: 'value'; value: unknown };

class Tokens {
  readonly #text: string;
  readonly #scalar = /[-+.0-9a-zA-Z]+/y;
  readonly #gap = /[ \t\r\n,:]*/y;
  readonly #colon = /[ \t\r\n]*:/y;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Skips commas and colons, which are redundant in valid JSON. */
  next(): Token | undefined {
    this.#take(this.#gap);
    const character = this.#text[this.#position];
    switch (character) {
      case undefined:
        return undefined;
      case '{':
      case '[':
        this.#position += 1;
        return { kind: 'open', container: character === '{' ? {} : [] };
      case '}':
      case ']':
        this.#position += 1;
        return { kind: 'close' };
      case '"': {
        const text = this.#string();
        return this.#take(this.#colon) === ''
          ? { kind: 'value', value: text }
          : { kind: 'key', text };
      }
      default:
        return { kind: 'value', value: scalar(this.#take(this.#scalar)) };
    }
  }

  #string(): string {
    const start = this.#position;
    let end = this.#text.indexOf('"', start + 1);
    while (this.#isEscaped(end)) end = this.#text.indexOf('"', end + 1);
    this.#position = end + 1;
    const literal = this.#text.slice(start, end + 1);
    if (!literal.includes('\\')) return literal.slice(1, -1);
    return String(parseNative(literal)).toWellFormed();
  }

  /** An odd number of backslashes before a quote escapes it. */
  #isEscaped(quote: number): boolean {
    let backslashes = 0;
    while (this.#text[quote - 1 - backslashes] === '\\') backslashes += 1;
    return backslashes % 2 === 1;
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#position;
    const [match = ''] = pattern.exec(this.#text) ?? [];
    this.#position += match.length;
    return match;
  }
}

function scalar(literal: string): unknown {
  if (!/^-?[0-9]{16,19}$/.test(literal)) return parseNative(literal);
  const value = Number(literal);
  if (Number.isSafeInteger(value)) return value;
  const integer = BigInt(literal);
  // Like upstream, integers out of the range of int64 become floating-point numbers.
  return BigInt.asIntN(64, integer) === integer ? integer : value;
}
