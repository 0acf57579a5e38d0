/** The position of a value in the buffers of a message. */
export interface BytesLocation {
  readonly buffer: number;
  readonly offset: number;
  readonly length: number;
}

/**
 * A reader that retains one value retains its buffer. This bounds the memory that one small value retains; larger
 * values have buffers of their own.
 */
const BUFFER_BYTES = 64 * 1024;

/**
 * Collects the values of a message into few buffers, which are transferred between threads without a copy. Sending the
 * values themselves would copy their underlying buffers: for small ones, all of the pool.
 */
export class BytePacker {
  #open: { readonly values: Uint8Array[]; length: number } = { values: [], length: 0 };
  #buffers: ArrayBuffer[] = [];
  #bytes = 0;

  /** The bytes added since the last `finish`. */
  get bytes(): number {
    return this.#bytes;
  }

  add(value: Uint8Array): BytesLocation {
    const { byteLength: length } = value;
    if (this.#open.length > 0 && this.#open.length + length > BUFFER_BYTES) this.#seal();
    const place = { buffer: this.#buffers.length, offset: this.#open.length, length };
    this.#open.values.push(value);
    this.#open.length += length;
    this.#bytes += length;
    return place;
  }

  finish(): ArrayBuffer[] {
    this.#seal();
    const buffers = this.#buffers;
    this.#buffers = [];
    this.#bytes = 0;
    return buffers;
  }

  #seal(): void {
    const { values, length } = this.#open;
    if (values.length === 0) return;
    const buffer = new Uint8Array(new ArrayBuffer(length));
    let offset = 0;
    for (const value of values) {
      buffer.set(value, offset);
      offset += value.byteLength;
    }
    this.#buffers.push(buffer.buffer);
    this.#open = { values: [], length: 0 };
  }
}

export function unpack(
  buffers: readonly ArrayBuffer[],
  { buffer, offset, length }: BytesLocation,
): Uint8Array {
  const found = buffers[buffer];
  if (found === undefined) throw new RangeError(`a message has no buffer ${buffer}`);
  return new Uint8Array(found, offset, length);
}
