import type { Revision } from '@tributary/storage';

const FIELD = '"resourceVersion":"';
const QUOTE = 0x22;
const COMMA = 0x2c;
const CLOSING_BRACE = 0x7d;

export function startsWith(bytes: Uint8Array, head: Uint8Array): boolean {
  if (bytes.length < head.length) return false;
  for (let index = 0; index < head.length; index += 1) {
    if (bytes[index] !== head[index]) return false;
  }
  return true;
}

/**
 * A copy with `"resourceVersion":"N",` as the first field of the metadata, which begins at `at`. By default the copy is
 * allocated individually: stored bytes are often a view into a batch, and small buffers share a pool, so that one
 * long-lived object would retain the bytes of many others.
 */
export function insertResourceVersion(
  stored: Uint8Array,
  at: number,
  revision: Revision,
  allocate: (length: number) => Buffer = Buffer.allocUnsafeSlow,
): Uint8Array {
  const digits = String(revision);
  const empty = firstByte(stored, at) === CLOSING_BRACE;
  const inserted = FIELD.length + digits.length + (empty ? 1 : 2);
  const bytes = allocate(stored.length + inserted);
  copy(stored, bytes, { from: 0, to: at, target: 0 });
  let end = writeAscii(bytes, at, FIELD);
  end = writeAscii(bytes, end, digits);
  bytes[end] = QUOTE;
  if (!empty) bytes[end + 1] = COMMA;
  copy(stored, bytes, { from: at, to: stored.length, target: at + inserted });
  return bytes;
}

/** A copy of bytes made by `insertResourceVersion`, with another resourceVersion in the same place. */
export function replaceResourceVersion(
  bytes: Uint8Array,
  at: number,
  revision: Revision,
): Uint8Array {
  const digits = String(revision);
  const start = at + FIELD.length;
  const end = bytes.indexOf(QUOTE, start);
  const replaced = Buffer.allocUnsafeSlow(bytes.length - (end - start) + digits.length);
  copy(bytes, replaced, { from: 0, to: start, target: 0 });
  const rest = writeAscii(replaced, start, digits);
  copy(bytes, replaced, { from: end, to: bytes.length, target: rest });
  return replaced;
}

/** The first byte that is not white space. Our encoder writes none; other writers may. */
function firstByte(bytes: Uint8Array, at: number): number | undefined {
  let index = at;
  while ((bytes[index] ?? CLOSING_BRACE) <= 0x20) index += 1;
  return bytes[index];
}

function writeAscii(bytes: Uint8Array, at: number, text: string): number {
  for (let index = 0; index < text.length; index += 1) bytes[at + index] = text.charCodeAt(index);
  return at + text.length;
}

function copy(
  source: Uint8Array,
  target: Uint8Array,
  range: { from: number; to: number; target: number },
): void {
  target.set(source.subarray(range.from, range.to), range.target);
}
