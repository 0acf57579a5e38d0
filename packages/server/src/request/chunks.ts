export function lengthOf(chunks: readonly Uint8Array[]): number {
  let length = 0;
  for (const chunk of chunks) length += chunk.length;
  return length;
}

/** Joins small chunks; a large chunk is yielded as it is, without a copy. */
export function* coalesce(
  chunks: readonly Uint8Array[],
  bytesMax: number,
): Generator<Uint8Array, undefined> {
  let first = 0;
  let length = 0;
  for (const [index, chunk] of chunks.entries()) {
    if (length > 0 && length + chunk.length > bytesMax) {
      yield join(chunks.slice(first, index), length);
      first = index;
      length = 0;
    }
    length += chunk.length;
  }
  yield join(chunks.slice(first), length);
}

/** Not `Buffer.concat`, whose checks cost as much as reading an object. */
export function join(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = chunks;
  if (chunks.length === 1 && only) return only;
  return copyInto(Buffer.allocUnsafe(length), chunks);
}

/** Copies chunks one after the other; `bytes` must have room for all. */
export function copyInto(bytes: Buffer, chunks: readonly Uint8Array[]): Buffer {
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
