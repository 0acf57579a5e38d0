const FIRST_BYTES = 1024;
const EMPTY: Buffer = Buffer.alloc(0);

/** Bytes that come in pieces and are looked at as one: however small the pieces are, each byte is copied only a few times. */
export class GrowingBuffer {
  #store: Buffer = EMPTY;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Goes on with these bytes: with all that it has, or with something else, which leaves what it gave away as it was. */
  keep(bytes: Buffer): void {
    const isAll = bytes.buffer === this.#store.buffer && bytes.length === this.#length;
    if (isAll) return;
    this.clear();
    this.add(bytes);
  }

  /** All of them. More may be added behind them, nothing is ever written over them. */
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

  /** Gives them all away, and goes on empty. */
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
