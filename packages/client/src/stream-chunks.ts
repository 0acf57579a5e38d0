import type { Readable } from 'node:stream';

/** So much is taken from a stream before anybody asks for it. */
const AHEAD_BYTES_MAX = 64 * 1024;

/** A stream that somebody else watches for errors, and that ends with 'close' whatever happens. */
export interface ChunkSource {
  readonly stream: Readable;
  /** Asked after the last byte: the reason why it is not the whole. */
  readonly problem: () => Error | undefined;
  /** Nobody reads on. */
  readonly leave: () => void;
}

/**
 * What a stream has and gets, for one reader. Node's own iterator costs several promises for each piece, and takes a
 * stream of HTTP/2 that has ended before anybody read it for one that broke, although everything is there.
 */
export class StreamChunks implements AsyncIterableIterator<Uint8Array> {
  readonly #source: ChunkSource;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #started = false;
  #over = false;
  #failed: Error | undefined;
  #waiting:
    | { resolve(result: IteratorResult<Uint8Array>): void; reject(problem: Error): void }
    | undefined;

  constructor(source: ChunkSource) {
    this.#source = source;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    if (!this.#started) this.#start();
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) {
      this.#bytes -= chunk.length;
      return Promise.resolve({ value: chunk, done: false });
    }
    if (this.#over) return this.#last();
    if (this.#source.stream.isPaused()) this.#source.stream.resume();
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    this.#chunks = [];
    this.#failed = undefined;
    if (!this.#over) {
      this.#over = true;
      this.#source.leave();
    }
    return Promise.resolve({ value: undefined, done: true });
  }

  #start(): void {
    this.#started = true;
    const { stream } = this.#source;
    stream.once('end', () => this.#finish());
    stream.once('close', () => this.#finish());
    stream.on('data', (chunk: Uint8Array) => this.#take(chunk));
    // What closed before it was read gives its bytes only to who asks for them.
    if (stream.destroyed) {
      for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) this.#take(chunk);
      this.#finish();
    }
  }

  #take(chunk: Uint8Array): void {
    if (this.#over) return;
    const waiting = this.#waiting;
    if (waiting !== undefined) {
      this.#waiting = undefined;
      waiting.resolve({ value: chunk, done: false });
      return;
    }
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes >= AHEAD_BYTES_MAX) this.#source.stream.pause();
  }

  #finish(): void {
    if (this.#over) return;
    this.#over = true;
    this.#failed = this.#source.problem();
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (this.#failed !== undefined) waiting?.reject(this.#failed);
    else waiting?.resolve({ value: undefined, done: true });
    if (waiting !== undefined) this.#failed = undefined;
  }

  /** A problem is told once; after that there is nothing more. */
  #last(): Promise<IteratorResult<Uint8Array>> {
    const problem = this.#failed;
    this.#failed = undefined;
    if (problem !== undefined) return Promise.reject(problem);
    return Promise.resolve({ value: undefined, done: true });
  }
}
