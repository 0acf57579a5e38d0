/**
 * Decodes DER (X.690), strictly. Certificates and requests are untrusted input: every call returns an element or throws
 * a `DerError`, always advances, and copies nothing. Error messages are those of Go's `encoding/asn1`, because
 * responses of the API contain them.
 */

export const DER_TAG = {
  integer: 2,
  bitString: 3,
  objectIdentifier: 6,
  sequence: 16,
  set: 17,
} as const;

export class DerError extends Error {}

export interface DerElement {
  /** 0 is universal, 2 is context-specific. */
  readonly class: number;
  readonly tag: number;
  readonly isCompound: boolean;
  readonly content: Buffer;
  /** The element with its header. */
  readonly whole: Buffer;
}

/** The expected type of an element. It is part of Go's error message. */
interface ExpectedElement {
  readonly tag: number;
  readonly goType: string;
}

export class DerReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** The next element, which must have this type. */
  read(expected: ExpectedElement): DerElement {
    if (this.isAtEnd) throw syntaxError('sequence truncated');
    const head = this.#head();
    const compound = expected.tag === DER_TAG.sequence || expected.tag === DER_TAG.set;
    if (head.class !== 0 || head.tag !== expected.tag || head.isCompound !== compound) {
      throw mismatch(expected, head);
    }
    return this.#element(head);
  }

  /** The next element of any type. */
  readAny(): DerElement {
    if (this.isAtEnd) throw syntaxError('sequence truncated');
    return this.#element(this.#head());
  }

  expectEnd(): void {
    if (!this.isAtEnd) throw syntaxError('trailing data');
  }

  #element({ start, at, length, ...type }: Head): DerElement {
    const end = at + length;
    if (end > this.#bytes.length) throw syntaxError('data truncated');
    this.#at = end;
    return {
      ...type,
      content: this.#bytes.subarray(at, end),
      whole: this.#bytes.subarray(start, end),
    };
  }

  #head(): Head {
    const start = this.#at;
    const first = this.#byte('tag or length');
    const head = {
      start,
      class: first >> 6,
      isCompound: (first & 0x20) !== 0,
      tag: first & 0x1f,
    };
    if (head.tag === 0x1f) throw structureError('tag too large');
    const length = this.#length();
    return { ...head, length, at: this.#at };
  }

  #length(): number {
    const first = this.#byte('tag or length');
    if (first < 0x80) return first;
    const count = first & 0x7f;
    if (count === 0) throw syntaxError('indefinite length found (not DER)');
    let length = 0;
    for (let index = 0; index < count; index += 1) {
      const next = this.#byte('tag or length');
      // Go limits lengths to 31 bits.
      if (length >= 1 << 23) throw structureError('length too large');
      length = length * 256 + next;
      if (length === 0) throw structureError('superfluous leading zeros in length');
    }
    if (length < 0x80) throw structureError('non-minimal length');
    return length;
  }

  #byte(what: string): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw syntaxError(`truncated ${what}`);
    this.#at += 1;
    return byte;
  }
}

/** All elements of a content, in order. */
export function derElements(content: Buffer): DerElement[] {
  const reader = new DerReader(content);
  const elements: DerElement[] = [];
  while (!reader.isAtEnd) elements.push(reader.readAny());
  return elements;
}

interface Head {
  readonly start: number;
  readonly class: number;
  readonly isCompound: boolean;
  readonly tag: number;
  readonly length: number;
  /** Offset of the content. */
  readonly at: number;
}

/** In dotted form. */
export function readObjectIdentifier(content: Buffer): string {
  const numbers: number[] = [];
  let number = 0;
  for (const byte of content) {
    number = number * 128 + (byte & 0x7f);
    // Go limits each number to 31 bits.
    if (number > 0x7fffffff) throw structureError('base 128 integer too large');
    if ((byte & 0x80) !== 0) continue;
    numbers.push(number);
    number = 0;
  }
  const [first] = numbers;
  if (first === undefined) throw syntaxError('zero length OBJECT IDENTIFIER');
  if (((content.at(-1) ?? 0) & 0x80) !== 0) throw syntaxError('truncated base 128 integer');
  const root = first < 80 ? Math.floor(first / 40) : 2;
  return [root, first - root * 40, ...numbers.slice(1)].join('.');
}

/** Only whole bytes, as in signatures. */
export function readBitString(content: Buffer): Buffer {
  const padding = content[0];
  if (padding === undefined) throw syntaxError('zero length BIT STRING');
  const last = content.at(-1) ?? 0;
  const isPadded = padding > 0 && (content.length === 1 || (last & ((1 << padding) - 1)) !== 0);
  if (padding > 7 || isPadded) throw syntaxError('invalid padding bits in BIT STRING');
  return content.subarray(1);
}

function mismatch({ tag, goType }: ExpectedElement, found: Head): DerError {
  const { class: foundClass, tag: foundTag, length, isCompound, at } = found;
  const shown = `{class:${foundClass} tag:${foundTag} length:${length} isCompound:${isCompound}}`;
  return structureError(`tags don't match (${tag} vs ${shown}) ${NO_PARAMETERS} ${goType} @${at}`);
}

/** Go's text for a field without encoding parameters. */
const NO_PARAMETERS =
  '{optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false}';

function syntaxError(why: string): DerError {
  return new DerError(`asn1: syntax error: ${why}`);
}

function structureError(why: string): DerError {
  return new DerError(`asn1: structure error: ${why}`);
}
