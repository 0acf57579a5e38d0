import type { Chunks } from './form.ts';

/** A typed array and its buffer beside the bytes themselves. */
const BUFFER_BYTES = 350;

/** Joined into memory of their own: small buffers share a pool, and one that lives long would keep many others. */
export function ownBytes(chunks: Chunks): Buffer {
  let length = 0;
  for (const chunk of chunks) length += chunk.length;
  const bytes = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** What bytes of their own take in memory. */
export function memoryOf(bytes: Uint8Array): number {
  return bytes.byteLength + BUFFER_BYTES;
}
