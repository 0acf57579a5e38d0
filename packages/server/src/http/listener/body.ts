import type { Readable } from 'node:stream';
import { requestEntityTooLarge } from '@tributary/apimachinery';

/** Reads a request's body up to a limit, beyond which nothing is buffered. */
export async function readBody(
  stream: Readable,
  bytesMax: number,
  declaredLength: string | undefined,
): Promise<Uint8Array> {
  if (Number(declaredLength ?? 0) > bytesMax) throw requestEntityTooLarge(bytesMax);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > bytesMax) throw requestEntityTooLarge(bytesMax);
    chunks.push(chunk);
  }
  const [only] = chunks;
  return chunks.length === 1 && only ? only : Buffer.concat(chunks, length);
}
