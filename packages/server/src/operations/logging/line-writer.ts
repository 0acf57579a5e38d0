import { systemClock } from '@tributary/storage';

/** Where text goes. A write resolves when it was taken; it may be slow, and may fail. */
export interface Destination {
  write(text: string): Promise<void>;
  /** The same for text that is encoded already, and whose bytes are used again once it was taken. */
  writeBytes?(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

export interface LineWriterOptions {
  readonly destination: Destination;
  /** What waits to be written, in characters; lines beyond it are dropped and counted. */
  readonly charactersMax?: number;
  readonly nowMs?: () => number;
  /** How long the first of several lines waits for the others. Default: a turn of the event loop. */
  readonly gatherMs?: number;
  /** Writing failed; the lines of that write are lost. */
  readonly onError: (error: unknown, lines: number) => void;
}

const CHARACTERS_MAX = 16 * 1024 * 1024;
/** Lines that leave together. */
const BLOCK_BYTES = 256 * 1024;
/** UTF-8 of a character takes at most so many bytes, by the way JavaScript counts characters. */
const BYTES_PER_CHARACTER_MAX = 3;
/** One is written while another is filled; more are needed when the destination is slow, and given back then. */
const BLOCKS_KEPT_MAX = 2;

/** Lines in the order they came, encoded at once: texts that wait would be moved about by every collection. */
interface Block {
  readonly buffer: Buffer;
  bytes: number;
  characters: number;
  lines: number;
}

/**
 * Lines on their way to a log. Whoever writes never waits: lines are kept until the destination takes them, within a
 * bound, and a reader that has stopped costs lines and not requests.
 */
export class LineWriter {
  readonly #options: LineWriterOptions;
  readonly #charactersMax: number;
  readonly #nowMs: () => number;
  /** The last one is still being filled. */
  #waiting: Block[] = [];
  readonly #free: Buffer[] = [];
  #characters = 0;
  #writing: Promise<void> | undefined;
  #closed = false;
  #dropped = 0;
  #writingSinceMs = 0;
  /** Somebody waits for everything to leave. */
  #hurries = false;
  #stopGathering: (() => void) | undefined;

  constructor(options: LineWriterOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? systemClock.nowMs;
    this.#charactersMax = options.charactersMax ?? CHARACTERS_MAX;
  }

  /** Lines that never reached the log for want of room. */
  get dropped(): number {
    return this.#dropped;
  }

  /** When something last left, or there was nothing to leave. */
  get movedMs(): number {
    return this.#writing === undefined ? this.#nowMs() : this.#writingSinceMs;
  }

  /** Whether the line will be written; it has its line break already. */
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

  /** Resolves when everything written before has left, or has failed to. */
  async flush(): Promise<void> {
    this.#hurries = true;
    this.#stopGathering?.();
    while (this.#writing !== undefined) await this.#writing;
    this.#hurries = false;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.flush();
    await this.#options.destination.close();
  }

  async #writeAll(): Promise<void> {
    // Lines of the same turn of the event loop leave together, or of a moment: a write is dear, however short.
    await this.#gathered();
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
      if (this.#waiting.length > 0) await this.#gathered();
    }
    this.#writing = undefined;
  }

  async #gathered(): Promise<void> {
    const { gatherMs = 0 } = this.#options;
    if (gatherMs > 0 && !this.#hurries) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#stopGathering = resolve;
      const timer = setTimeout(resolve, gatherMs);
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
    const kept = bytes <= BLOCK_BYTES ? this.#free.pop() : undefined;
    const buffer = kept ?? Buffer.allocUnsafeSlow(Math.max(bytes, BLOCK_BYTES));
    const block = { buffer, bytes: 0, characters: 0, lines: 0 };
    this.#waiting.push(block);
    return block;
  }

  #giveBack({ buffer }: Block): void {
    const isUsual = buffer.length === BLOCK_BYTES;
    if (isUsual && this.#free.length < BLOCKS_KEPT_MAX) this.#free.push(buffer);
  }
}

function writeBlock(destination: Destination, { buffer, bytes }: Block): Promise<void> {
  const filled = buffer.subarray(0, bytes);
  return destination.writeBytes?.(filled) ?? destination.write(filled.toString('utf8'));
}
