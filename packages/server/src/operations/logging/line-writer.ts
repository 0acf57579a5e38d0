import { systemClock } from '@tributary/storage';

/** The destination of text. A write resolves when the text was taken; it may be slow, and may fail. */
export interface Destination {
  write(text: string): Promise<void>;
  /** The same for encoded text, whose buffer is reused once it was taken. */
  writeBytes?(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

interface LineWriterOptions {
  readonly destination: Destination;
  /** Limit of the buffer in characters; further lines are dropped and counted. */
  readonly charactersMax?: number;
  readonly nowMs?: () => number;
  /** How long the first of several lines waits for the others. Default: a turn of the event loop. */
  readonly batchMs?: number;
  /** Called when a write fails; its lines are lost. */
  readonly onError: (error: unknown, lines: number) => void;
}

const CHARACTERS_MAX = 16 * 1024 * 1024;
/** Lines of one write. */
const BLOCK_BYTES = 256 * 1024;
/** The maximum length of a UTF-16 unit in UTF-8. */
const BYTES_PER_CHARACTER_MAX = 3;
/** One is written while another is filled; a slow destination needs more, which are freed afterwards. */
const FREE_BLOCKS_MAX = 2;

/** Lines in order, encoded at once: buffered strings would be copied by every garbage collection. */
interface Block {
  readonly buffer: Buffer;
  bytes: number;
  characters: number;
  lines: number;
}

/**
 * Lines on their way to a log. Writing never waits: lines are buffered up to a limit, so a blocked destination loses
 * lines and does not delay requests.
 */
export class LineWriter {
  readonly #options: LineWriterOptions;
  readonly #charactersMax: number;
  readonly #nowMs: () => number;
  /** The last block is still being filled. */
  #waiting: Block[] = [];
  readonly #free: Buffer[] = [];
  #characters = 0;
  #writing: Promise<void> | undefined;
  #closed = false;
  #dropped = 0;
  #writingSinceMs = 0;
  /** A flush is waiting. */
  #isFlushing = false;
  #stopGathering: (() => void) | undefined;

  constructor(options: LineWriterOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? systemClock.nowMs;
    this.#charactersMax = options.charactersMax ?? CHARACTERS_MAX;
  }

  /** Lines lost because the buffer was full. */
  get dropped(): number {
    return this.#dropped;
  }

  /** When a line was last written, or the buffer was empty. */
  get movedMs(): number {
    return this.#writing === undefined ? this.#nowMs() : this.#writingSinceMs;
  }

  /** Whether the line will be written; it includes its line break. */
  write(line: string): boolean {
    if (this.#closed || this.#characters + line.length > this.#charactersMax) {
      this.#dropped += 1;
      return false;
    }
    const block = this.#blockFor(line.length * BYTES_PER_CHARACTER_MAX);
    block.bytes += block.buffer.write(line, block.bytes);
    block.characters += line.length;
    block.lines += 1;
    this.#characters += line.length;
    if (this.#writing === undefined) {
      this.#writingSinceMs = this.#nowMs();
      this.#writing = this.#writeAll();
    }
    return true;
  }

  /** Resolves when everything before it was written, or failed to be. */
  async flush(): Promise<void> {
    this.#isFlushing = true;
    this.#stopGathering?.();
    while (this.#writing !== undefined) await this.#writing;
    this.#isFlushing = false;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.flush();
    await this.#options.destination.close();
  }

  async #writeAll(): Promise<void> {
    // Lines of one turn of the event loop, or of a moment, share a write: writes are expensive, however short.
    await this.#batched();
    while (this.#waiting.length > 0) {
      const block = this.#waiting.shift() as Block;
      this.#writingSinceMs = this.#nowMs();
      try {
        await writeBlock(this.#options.destination, block);
      } catch (error) {
        this.#options.onError(error, block.lines);
      }
      this.#characters -= block.characters;
      this.#giveBack(block);
      if (this.#waiting.length > 0) await this.#batched();
    }
    this.#writing = undefined;
  }

  async #batched(): Promise<void> {
    const { batchMs = 0 } = this.#options;
    if (batchMs > 0 && !this.#isFlushing) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#stopGathering = resolve;
      const timer = setTimeout(resolve, batchMs);
      await promise;
      clearTimeout(timer);
      this.#stopGathering = undefined;
    } else {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #blockFor(bytes: number): Block {
    const last = this.#waiting.at(-1);
    if (last !== undefined && last.bytes + bytes <= last.buffer.length) return last;
    const free = bytes <= BLOCK_BYTES ? this.#free.pop() : undefined;
    const buffer = free ?? Buffer.allocUnsafeSlow(Math.max(bytes, BLOCK_BYTES));
    const block = { buffer, bytes: 0, characters: 0, lines: 0 };
    this.#waiting.push(block);
    return block;
  }

  #giveBack({ buffer }: Block): void {
    const isUsual = buffer.length === BLOCK_BYTES;
    if (isUsual && this.#free.length < FREE_BLOCKS_MAX) this.#free.push(buffer);
  }
}

function writeBlock(destination: Destination, { buffer, bytes }: Block): Promise<void> {
  const filled = buffer.subarray(0, bytes);
  return destination.writeBytes?.(filled) ?? destination.write(filled.toString('utf8'));
}
