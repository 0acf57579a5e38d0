import type { KubeObject } from '@tributary/apimachinery';
import type { Readable } from '../watch-cache/types.ts';

/** An object that no cache holds, such as the outcome of a write: what is made of it is made for one answer. */
export function readableOf(bytes: Uint8Array, object: () => KubeObject): Readable {
  const readable: Readable = { bytes, object, derived: ({ make }) => make(readable) };
  return readable;
}
