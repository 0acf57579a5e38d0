import type { Readable } from 'node:stream';
import { ChunkQueue } from './chunk-queue.ts';

/** A stream whose errors are handled elsewhere, and that always ends with 'close'. */
export interface ChunkSource {
  readonly stream: Readable;
  /** Called after the last byte: the reason why the body is incomplete. */
  readonly problem: () => Error | undefined;
  /** The reader ended early. */
  readonly cancel: () => void;
}

/**
 * The chunks of a stream, for one reader. Node's own iterator treats an HTTP/2 stream that ended before the first read
 * as broken, although all bytes are there.
 */
export class StreamChunks implements AsyncIterableIterator<Uint8Array> {
  readonly #source: ChunkSource;
  readonly #queue: ChunkQueue;
  #started = false;

  constructor(source: ChunkSource) {
    const { stream, cancel: leave } = source;
    this.#source = source;
    this.#queue = new ChunkQueue({
      pause: () => void stream.pause(),
      resume: () => {
        if (stream.isPaused()) stream.resume();
      },
      cancel: leave,
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
    // A stream that closed before it was read returns its bytes only to explicit reads.
    if (stream.destroyed) {
      for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) {
        this.#queue.take(chunk);
      }
      finish();
    }
  }
}
