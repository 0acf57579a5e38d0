import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';

const deflate = promisify(deflateRaw);

/** Smaller ones are not compressed. */
const COMPACT_BYTES = 32 * 1024;

/**
 * A document that is often requested soon after it was built, and then hardly ever, like most of hundreds. It is stored
 * uncompressed at first, and then compressed to about a tenth; a request decompresses it, a few milliseconds per
 * megabyte, and shares the result with others as long as it is in use.
 */
export class CompactForm implements Form {
  readonly contentType = 'application/json';
  readonly aliases: readonly string[] = [];
  #bytes: Uint8Array | undefined;
  #compact: Uint8Array = new Uint8Array();
  #unpacked: WeakRef<Uint8Array> | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get bytes(): Uint8Array {
    const known = this.#bytes ?? this.#unpacked?.deref();
    if (known !== undefined) return known;
    const bytes = inflateRawSync(this.#compact);
    this.#unpacked = new WeakRef(bytes);
    return bytes;
  }

  /** Compresses it, on another thread. */
  async compact(): Promise<void> {
    const bytes = this.#bytes;
    if (bytes === undefined || bytes.length < COMPACT_BYTES) return;
    this.#compact = await deflate(bytes, { level: 1 });
    this.#unpacked = new WeakRef(bytes);
    this.#bytes = undefined;
  }
}

export interface Form {
  readonly contentType: string;
  /** Further media types of the form. */
  readonly aliases: readonly string[];
  readonly bytes: Uint8Array;
}
