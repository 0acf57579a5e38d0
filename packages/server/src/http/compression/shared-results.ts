import { lengthOf } from '../../request/chunks.ts';

type Chunks = readonly Uint8Array[];

/** Bytes being computed, or complete. */
interface Entry {
  readonly work: AbortController;
  /** Undefined after eviction; the key may live on. */
  chunks: Promise<Chunks> | undefined;
  /** Known once they are complete. */
  bytes: number | undefined;
  waiting: number;
}

type ComputeChunks = (signal: AbortSignal) => Promise<Chunks>;

/**
 * Bytes computed once for all callers with the same key. Concurrent callers wait for the same computation, which is
 * aborted when all of them have left. Cached results are bounded in bytes, with least-recently-used eviction. Keys are
 * held weakly: a result whose key was collected is never found again, and is evicted as the oldest.
 */
export class SharedResults {
  readonly #bytesMax: number;
  readonly #entries = new WeakMap<object, Entry>();
  /** Complete entries, least recently used first. */
  readonly #cached = new Set<Entry>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  async get(key: object, signal: AbortSignal, compute: ComputeChunks): Promise<Chunks> {
    signal.throwIfAborted();
    const entry = this.#entries.get(key);
    if (entry?.chunks === undefined) return this.#begin(key, signal, compute);
    if (this.#cached.delete(entry)) this.#cached.add(entry);
    return this.#wait(entry, entry.chunks, signal);
  }

  #begin(key: object, signal: AbortSignal, compute: ComputeChunks): Promise<Chunks> {
    const work = new AbortController();
    const chunks = compute(work.signal);
    const entry: Entry = { work, chunks, bytes: undefined, waiting: 0 };
    this.#entries.set(key, entry);
    chunks.then(
      (ready) => this.#store(entry, lengthOf(ready)),
      () => {
        entry.chunks = undefined; // all waiting callers get the failure, and the next one retries
      },
    );
    return this.#wait(entry, chunks, signal);
  }

  async #wait(entry: Entry, chunks: Promise<Chunks>, signal: AbortSignal): Promise<Chunks> {
    const abandoned = Promise.withResolvers<never>();
    const leave = () => abandoned.reject(signal.reason);
    signal.addEventListener('abort', leave);
    entry.waiting += 1;
    try {
      return await Promise.race([chunks, abandoned.promise]);
    } finally {
      signal.removeEventListener('abort', leave);
      entry.waiting -= 1;
      if (entry.waiting === 0 && entry.bytes === undefined) {
        entry.chunks = undefined;
        entry.work.abort(signal.reason);
      }
    }
  }

  #store(entry: Entry, bytes: number): void {
    entry.bytes = bytes;
    this.#cached.add(entry);
    this.#bytes += bytes;
    for (const oldest of this.#cached) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#cached.delete(oldest);
      this.#bytes -= oldest.bytes ?? 0;
      oldest.chunks = undefined;
    }
  }
}
