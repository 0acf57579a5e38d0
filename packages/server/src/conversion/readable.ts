import type { KubeObject } from '@tributary/apimachinery';
import type { Readable } from '../watch-cache/types.ts';

/** An object that is not cached, such as the result of a write; its representations are made for one response. */
export function readableOf(bytes: Uint8Array, object: () => KubeObject): Readable {
  const readable: Readable = { bytes, object, derived: ({ make }) => make(readable) };
  return readable;
}
