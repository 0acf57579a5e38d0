/**
 * The memory of all byte arrays inside a message, so that it can change hands instead of being copied. What shares
 * its memory with others stays out, and is copied.
 */
export function transferableBuffers(message: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  const visit = (value: unknown): void => {
    if (value instanceof Uint8Array) {
      const { buffer } = value;
      const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === value.byteLength;
      if (isOwn && value.byteLength > 0) found.add(buffer);
    } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  visit(message);
  return [...found];
}
