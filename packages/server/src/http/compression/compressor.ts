import { coalesce, lengthOf } from '../../request/chunks.ts';
import { gzipSlices } from './gzip-slices.ts';
import { SharedResults } from './shared-results.ts';
import { Slots } from './slots.ts';

/** Half of libuv's usual threads, so that file and name lookups never wait behind lists. */
const THREADS = 2;
/** Slices that may wait for a thread, about a tenth of a second's work; beyond it bodies are sent uncompressed. */
const WAITING_MAX = 128;
const SLICE_BYTES = 128 * 1024;
/** Compressed bodies cached for later requests. */
const CACHED_BYTES_MAX = 16 * 1024 * 1024;
/** A larger body is compressed for each reader while it is read: as a whole it would not stay in memory. */
const SHARED_BODY_BYTES_MAX = 32 * 1024 * 1024;

/** A compressed body: whole with a known length, or a stream. */
type Compressed =
  | { readonly kind: 'whole'; readonly chunks: readonly Uint8Array[]; readonly length: number }
  | { readonly kind: 'stream'; readonly chunks: AsyncIterable<Uint8Array> };

export interface CompressedBody {
  readonly chunks: readonly Uint8Array[];
  readonly length: number;
  /** The same object for the same bytes, when later requests will want them, too. */
  readonly sharedAs?: object | undefined;
}

export interface Compressor {
  /** Too much compression is in progress: the response is better sent uncompressed. */
  readonly busy: boolean;
  compress(body: CompressedBody, signal: AbortSignal): Promise<Compressed>;
}

/** The compression of one server: its threads and cached results. */
export function openCompressor(): Compressor {
  const slots = new Slots(THREADS);
  const results = new SharedResults(CACHED_BYTES_MAX);
  return {
    get busy() {
      return slots.waiting >= WAITING_MAX;
    },
    compress: async ({ chunks, length, sharedAs }, signal) => {
      const slices = (until: AbortSignal) =>
        gzipSlices(coalesce(chunks, SLICE_BYTES), slots, until);
      if (sharedAs === undefined || length > SHARED_BODY_BYTES_MAX) {
        return { kind: 'stream', chunks: slices(signal) };
      }
      const whole = await results.get(sharedAs, signal, (until) => Array.fromAsync(slices(until)));
      return { kind: 'whole', chunks: whole, length: lengthOf(whole) };
    },
  };
}
