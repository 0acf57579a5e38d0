const NEWLINE = 0x0a;

/** A stream that ends inside a line, or whose line is longer than allowed. */
export class LineError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'LineError';
  }
}

/** The lines of a stream, without empty ones. A line within one chunk is not copied. */
export async function* splitLines(
  source: AsyncIterable<Uint8Array>,
  lineBytesMax: number,
): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      const part = chunk.subarray(start, end === -1 ? undefined : end);
      bytes += part.length;
      if (bytes > lineBytesMax) throw new LineError(`a line has more than ${lineBytesMax} bytes`);
      if (end === -1) {
        if (part.length > 0) parts.push(part);
        break;
      }
      const line = parts.length === 0 ? part : Buffer.concat([...parts, part], bytes);
      parts = [];
      bytes = 0;
      start = end + 1;
      if (!isBlank(line)) yield line;
    }
  }
  if (bytes > 0 && !isBlank(Buffer.concat(parts))) throw new LineError('ends inside a line');
}

function isBlank(line: Uint8Array): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
