import { copyInto, lengthOf } from '../request/chunks.ts';
import type { Chunks } from './form.ts';

/** A typed array and its buffer beside the bytes themselves. */
const BUFFER_BYTES = 350;

/** Joined into memory of their own: small buffers share a pool, and one that lives long would keep many others. */
export function ownBytes(chunks: Chunks): Buffer {
  return copyInto(Buffer.allocUnsafeSlow(lengthOf(chunks)), chunks);
}

/** What bytes of their own take in memory. */
export function memoryOf(bytes: Uint8Array): number {
  return bytes.byteLength + BUFFER_BYTES;
}
