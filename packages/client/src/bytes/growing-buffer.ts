const FIRST_BYTES = 1024;
const EMPTY: Buffer = Buffer.alloc(0);

/**
 * Bytes that arrive in chunks and are read as one buffer: however small the chunks are, each byte is copied only a few
 * times.
 */
export class GrowingBuffer {
  #store: Buffer = EMPTY;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Continues with these bytes: with all of its content, or with others, which leaves returned buffers unchanged. */
  keep(bytes: Buffer): void {
    const isAll = bytes.buffer === this.#store.buffer && bytes.length === this.#length;
    if (isAll) return;
    this.clear();
    this.add(bytes);
  }

  /** Returns all bytes. More may be added behind them, but none are overwritten. */
  add(bytes: Uint8Array): Buffer {
    const length = this.#length + bytes.length;
    if (length > this.#store.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, 2 * length));
      this.#store.copy(grown, 0, 0, this.#length);
      this.#store = grown;
    }
    this.#store.set(bytes, this.#length);
    this.#length = length;
    return this.#store.subarray(0, length);
  }

  /** Returns all bytes and becomes empty. */
  take(): Buffer {
    const bytes = this.#store.subarray(0, this.#length);
    this.clear();
    return bytes;
  }

  clear(): void {
    this.#store = EMPTY;
    this.#length = 0;
  }
}
