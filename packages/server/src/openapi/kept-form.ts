import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';

const deflate = promisify(deflateRaw);

/** Smaller ones are not worth it. */
const COMPACT_BYTES = 32 * 1024;

/**
 * A document that many may ask for soon after it was made, and then nobody for a long time: most of hundreds. It is kept
 * as it was made at first, and then compressed, which leaves about a tenth; who asks for it unpacks it, a few
 * milliseconds for each megabyte, and what was unpacked is shared as long as somebody uses it.
 */
export class KeptForm implements Form {
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
  /** Other names by which it can be asked for. */
  readonly aliases: readonly string[];
  readonly bytes: Uint8Array;
}
