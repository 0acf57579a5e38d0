/** Large enough that a list costs few writes, small enough that many lists at once stay small. */
export const STAGING_BYTES = 128 * 1024;
/** Buffers cached for later lists: 2 MiB. More may be in use, one or two for each response being sent. */
const FREE_MAX = 16;

interface StagedChunk {
  readonly bytes: Uint8Array;
  /** Called at most once, when the bytes are no longer needed. */
  readonly taken: (() => void) | undefined;
}

/**
 * Reused buffers in which the small chunks of a list are joined: allocating them for every list of 1 MB costs half as
 * much as its encryption.
 */
export class Staging {
  readonly #free: Uint8Array[] = [];

  get free(): number {
    return this.#free.length;
  }

  /** Joins small chunks; a large one is passed on without a copy. */
  *pieces(chunks: readonly Uint8Array[]): Generator<StagedChunk, undefined> {
    let buffer: Uint8Array | undefined;
    let length = 0;
    for (const chunk of chunks) {
      if (buffer !== undefined && length + chunk.length > STAGING_BYTES) {
        yield this.#piece(buffer, length);
        buffer = undefined;
      }
      if (chunk.length > STAGING_BYTES / 2 && buffer === undefined) {
        yield { bytes: chunk, taken: undefined };
        continue;
      }
      if (buffer === undefined) {
        buffer = this.#free.pop() ?? Buffer.allocUnsafeSlow(STAGING_BYTES);
        length = 0;
      }
      buffer.set(chunk, length);
      length += chunk.length;
    }
    if (buffer !== undefined) yield this.#piece(buffer, length);
  }

  #piece(buffer: Uint8Array, length: number): StagedChunk {
    const taken = () => {
      if (this.#free.length < FREE_MAX) this.#free.push(buffer);
    };
    return { bytes: buffer.subarray(0, length), taken };
  }
}
