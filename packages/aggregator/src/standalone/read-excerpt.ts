/** A Status is shorter. */
const EXCERPT_BYTES_MAX = 16 * 1024;

/** The beginning of a body as text, and the whole body to be read again. */
export async function readExcerpt(
  body: AsyncIterable<Uint8Array>,
): Promise<{ readonly text: string; readonly body: AsyncIterable<Uint8Array> }> {
  const rest = body[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isOver = false;
  while (size < EXCERPT_BYTES_MAX && !isOver) {
    const { done, value } = await rest.next();
    if (done) isOver = true;
    else {
      chunks.push(value);
      size += value.byteLength;
    }
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return { text, body: again(chunks, isOver ? undefined : rest) };
}

async function* again(
  chunks: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array> | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
    while (rest !== undefined) {
      const { done, value } = await rest.next();
      if (done) return;
      yield value;
    }
  } finally {
    await rest?.return?.();
  }
}
