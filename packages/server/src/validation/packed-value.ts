/** Values for another thread, as bytes, so that queued bytes can be counted and later changes have no effect. */
import { deserialize, serialize } from 'node:v8';
import { parseJson, stringifyJson } from '@tributary/apimachinery';

/** Node's serialization preserves -0, large integers and doubles, and undefined. */
export function pack(value: unknown): Uint8Array {
  try {
    return tagged(NATIVE, serialize(value));
  } catch (error) {
    // Objects may be nested deeper than the call stack; as JSON they can be written nevertheless.
    if (!(error instanceof RangeError)) throw error;
    return tagged(TEXT, Buffer.from(stringifyJson(value)));
  }
}

export function unpack(bytes: Uint8Array): unknown {
  const content = bytes.subarray(1);
  return bytes[0] === NATIVE ? deserialize(content) : parseJson(content);
}

const NATIVE = 0;
const TEXT = 1;

function tagged(tag: number, content: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(content.length + 1);
  bytes[0] = tag;
  bytes.set(content, 1);
  return bytes;
}
