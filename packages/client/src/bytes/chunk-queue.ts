import { SMALL_CHUNK_BYTES } from './coalesce-chunks.ts';
import { GrowingBuffer } from './growing-buffer.ts';

/** The maximum that is read ahead. */
const AHEAD_BYTES_MAX = 64 * 1024;

/** The source of the chunks. */
export interface FlowControl {
  /** Enough is read ahead. */
  pause(): void;
  /** The reader waits. */
  resume(): void;
  /** The reader ended early. */
  cancel(): void;
}

/** Unread chunks for one reader. Node's own iterators cost several promises for each chunk. */
export class ChunkQueue implements AsyncIterableIterator<Uint8Array> {
  readonly #flow: FlowControl;
  #chunks: Uint8Array[] = [];
  /** Small chunks after those, as one. */
  readonly #small = new GrowingBuffer();
  #bytes = 0;
  #over = false;
  #failed: Error | undefined;
  #waiting:
    | { resolve(result: IteratorResult<Uint8Array>): void; reject(problem: Error): void }
    | undefined;

  constructor(flow: FlowControl) {
    this.#flow = flow;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** No more chunks will come. */
  get isOver(): boolean {
    return this.#over;
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    const chunk = this.#chunks.shift() ?? this.#takeSmall();
    if (chunk !== undefined) {
      this.#bytes -= chunk.length;
      return Promise.resolve({ value: chunk, done: false });
    }
    if (this.#over) return this.#last();
    this.#flow.resume();
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    this.#chunks = [];
    this.#small.clear();
    this.#failed = undefined;
    if (!this.#over) {
      this.#over = true;
      this.#flow.cancel();
    }
    return Promise.resolve({ value: undefined, done: true });
  }

  take(chunk: Uint8Array): void {
    if (this.#over) return;
    const waiting = this.#waiting;
    if (waiting !== undefined) {
      this.#waiting = undefined;
      waiting.resolve({ value: chunk, done: false });
      return;
    }
    this.#keep(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes >= AHEAD_BYTES_MAX) this.#flow.pause();
  }

  /** With the reason why the body is incomplete, if it is. */
  finish(problem: Error | undefined): void {
    if (this.#over) return;
    this.#over = true;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting === undefined) this.#failed = problem;
    else if (problem !== undefined) waiting.reject(problem);
    else waiting.resolve({ value: undefined, done: true });
  }

  #keep(chunk: Uint8Array): void {
    const isFirst = this.#chunks.length === 0 && this.#small.length === 0;
    if (chunk.length < SMALL_CHUNK_BYTES && !isFirst) {
      this.#small.add(chunk);
      return;
    }
    const before = this.#takeSmall();
    if (before !== undefined) this.#chunks.push(before);
    this.#chunks.push(chunk);
  }

  #takeSmall(): Uint8Array | undefined {
    return this.#small.length === 0 ? undefined : this.#small.take();
  }

  /** A problem is thrown once; after that the iteration has ended. */
  #last(): Promise<IteratorResult<Uint8Array>> {
    const problem = this.#failed;
    this.#failed = undefined;
    if (problem !== undefined) return Promise.reject(problem);
    return Promise.resolve({ value: undefined, done: true });
  }
}
