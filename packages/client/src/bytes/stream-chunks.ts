import type { Readable } from 'node:stream';
import { ChunkQueue } from './chunk-queue.ts';

/** A stream that somebody else watches for errors, and that ends with 'close' whatever happens. */
export interface ChunkSource {
  readonly stream: Readable;
  /** Asked after the last byte: the reason why it is not the whole. */
  readonly problem: () => Error | undefined;
  /** Nobody reads on. */
  readonly leave: () => void;
}

/**
 * What a stream has and gets, for one reader. Node's own iterator takes a stream of HTTP/2 that has ended before anybody
 * read it for one that broke, although everything is there.
 */
export class StreamChunks implements AsyncIterableIterator<Uint8Array> {
  readonly #source: ChunkSource;
  readonly #queue: ChunkQueue;
  #started = false;

  constructor(source: ChunkSource) {
    const { stream, leave } = source;
    this.#source = source;
    this.#queue = new ChunkQueue({
      stop: () => void stream.pause(),
      go: () => {
        if (stream.isPaused()) stream.resume();
      },
      leave,
    });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    if (!this.#started) this.#start();
    return this.#queue.next();
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    return this.#queue.return();
  }

  #start(): void {
    this.#started = true;
    const { stream } = this.#source;
    const finish = (): void => {
      if (!this.#queue.isOver) this.#queue.finish(this.#source.problem());
    };
    stream.once('end', finish);
    stream.once('close', finish);
    stream.on('data', (chunk: Uint8Array) => this.#queue.take(chunk));
    // What closed before it was read gives its bytes only to who asks for them.
    if (stream.destroyed) {
      for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) {
        this.#queue.take(chunk);
      }
      finish();
    }
  }
}
