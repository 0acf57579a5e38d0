import { copyInto, lengthOf } from '../request/chunks.ts';
import type { Chunks } from './form.ts';

/** Memory of a typed array and its buffer beside the bytes themselves. */
const BUFFER_BYTES = 350;

/** Joins chunks into a buffer of its own: small buffers share a pool, and a long-lived one would retain many others. */
export function ownBytes(chunks: Chunks): Buffer {
  return copyInto(Buffer.allocUnsafeSlow(lengthOf(chunks)), chunks);
}

/** Memory of bytes in a buffer of their own. */
export function memoryOf(bytes: Uint8Array): number {
  return bytes.byteLength + BUFFER_BYTES;
}
