/** Values on their way to another thread, as bytes, so that what waits is counted and nobody changes it meanwhile. */
import { deserialize, serialize } from 'node:v8';
import { parseJson, stringifyJson } from '@tributary/apimachinery';

/** Node's own form keeps every difference: of -0, of large whole doubles and integers, of what is undefined. */
export function pack(value: unknown): Uint8Array {
  try {
    return tagged(NATIVE, serialize(value));
  } catch (error) {
    // Objects may be nested deeper than the call stack; as JSON they are written all the same.
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
