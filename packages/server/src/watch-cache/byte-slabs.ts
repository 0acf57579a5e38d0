/** Memory that many values share. */
interface Slab {
  readonly bytes: Buffer;
  /** How much of it is handed out and not released. */
  live: number;
}

/**
 * The C library gives blocks from 128 KiB on a mapping of their own. In slabs of that size, what lives long is not
 * strewn among what every request takes and frees, which would keep all of that memory from going back.
 */
const SLAB_BYTES = 128 * 1024;

/** Larger values have memory of their own: a slab that is full loses less than this at its end. */
const SHARED_BYTES_MAX = SLAB_BYTES / 8;

/** Most resources have a few objects; until there is this much, each of them has memory of its own. */
const UNSHARED_BYTES = 16 * 1024;

/** What may lie idle in slabs whatever they hold. */
const WASTE_BYTES = 8 * 1024 * 1024;

/**
 * Memory for the bytes of the objects of one cache. A slab is freed when its last value is gone. Where a few values
 * hold much of it back, `isSparse` says so, and `moved` brings them together: what is idle stays below `WASTE_BYTES`
 * or as much as is in use, whichever is more, apart from what only history holds.
 */
export class ByteSlabs {
  readonly #slabs = new Map<ArrayBufferLike, Slab>();
  #current: Slab | undefined;
  #used = 0;
  #unshared = 0;
  #live = 0;
  /** What was still idle after values were last brought together. */
  #idle = 0;

  get bytes(): number {
    return this.#slabs.size * SLAB_BYTES;
  }

  get isSparse(): boolean {
    const wasted = this.bytes - this.#live;
    return wasted > Math.max(WASTE_BYTES, this.#live, 2 * this.#idle);
  }

  readonly allocate = (length: number): Buffer => {
    if (length > SHARED_BYTES_MAX || this.#unshared < UNSHARED_BYTES) {
      this.#unshared += length;
      return Buffer.allocUnsafeSlow(length);
    }
    const slab = this.#slabFor(length);
    slab.live += length;
    this.#live += length;
    this.#used += length;
    return slab.bytes.subarray(this.#used - length, this.#used);
  };

  /** What was allocated is not needed any more. Once for each. */
  release(bytes: Uint8Array): void {
    const slab = this.#slabs.get(bytes.buffer);
    if (slab === undefined) return;
    slab.live -= bytes.byteLength;
    this.#live -= bytes.byteLength;
    if (slab.live === 0 && slab !== this.#current) this.#slabs.delete(bytes.buffer);
  }

  /** A copy elsewhere, and the first is released; undefined where it lies well. */
  moved(bytes: Uint8Array): Buffer | undefined {
    const slab = this.#slabs.get(bytes.buffer);
    if (slab === undefined || slab === this.#current || slab.live > SLAB_BYTES / 2)
      return undefined;
    const copy = this.allocate(bytes.byteLength);
    copy.set(bytes);
    this.release(bytes);
    return copy;
  }

  /** All values were asked to move. */
  tidied(): void {
    this.#idle = this.bytes - this.#live;
  }

  #slabFor(length: number): Slab {
    const current = this.#current;
    if (current !== undefined && this.#used + length <= SLAB_BYTES) return current;
    if (current?.live === 0) this.#slabs.delete(current.bytes.buffer);
    const slab = { bytes: Buffer.allocUnsafeSlow(SLAB_BYTES), live: 0 };
    this.#slabs.set(slab.bytes.buffer, slab);
    this.#current = slab;
    this.#used = 0;
    return slab;
  }
}
