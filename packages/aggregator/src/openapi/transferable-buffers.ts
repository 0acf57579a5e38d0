/**
 * The buffers of all byte arrays in a message that can be transferred instead of copied. Buffers shared with other
 * arrays are copied.
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
