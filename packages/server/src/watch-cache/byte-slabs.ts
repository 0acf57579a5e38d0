/** Memory shared by many values. */
interface Slab {
  readonly bytes: Buffer;
  /** Bytes that are allocated and not released. */
  live: number;
}

/**
 * glibc maps blocks from 128 KiB individually. Slabs of that size keep long-lived values apart from the short-lived
 * allocations of requests, whose memory can then return to the system.
 */
const SLAB_BYTES = 128 * 1024;

/** Larger values are allocated individually, so a full slab wastes less than this at its end. */
const SHARED_BYTES_MAX = SLAB_BYTES / 8;

/** Most resources have a few objects; below this total each of them is allocated individually. */
const UNSHARED_BYTES = 16 * 1024;

/** Idle bytes that slabs may have regardless of their content. */
const WASTE_BYTES = 8 * 1024 * 1024;

/**
 * Memory for the bytes of the objects of one cache. A slab is freed with its last value. `isSparse` reports that a few
 * values hold much memory, and `moved` brings them together: idle memory stays below `WASTE_BYTES` or the bytes in use,
 * whichever is more, apart from values that only the history holds.
 */
export class ByteSlabs {
  readonly #slabs = new Map<ArrayBufferLike, Slab>();
  #current: Slab | undefined;
  #used = 0;
  #unshared = 0;
  #live = 0;
  /** Idle bytes after the last compaction. */
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

  /** Called once for each allocation that is no longer needed. */
  release(bytes: Uint8Array): void {
    const slab = this.#slabs.get(bytes.buffer);
    if (slab === undefined) return;
    slab.live -= bytes.byteLength;
    this.#live -= bytes.byteLength;
    if (slab.live === 0 && slab !== this.#current) this.#slabs.delete(bytes.buffer);
  }

  /** Copies bytes to another slab and releases the original; undefined when they need not move. */
  moved(bytes: Uint8Array): Buffer | undefined {
    const slab = this.#slabs.get(bytes.buffer);
    if (slab === undefined || slab === this.#current || slab.live > SLAB_BYTES / 2)
      return undefined;
    const copy = this.allocate(bytes.byteLength);
    copy.set(bytes);
    this.release(bytes);
    return copy;
  }

  /** Called after every value was offered to `moved`. */
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
