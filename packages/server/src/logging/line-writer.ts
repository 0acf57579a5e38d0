import { systemClock } from '@tributary/storage';

/** Where text goes. A write resolves when it was taken; it may be slow, and may fail. */
export interface Destination {
  write(text: string): Promise<void>;
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
/** Joined and encoded in one go, so it bounds how long that holds up the event loop. */
const BATCH_CHARACTERS = 256 * 1024;

/**
 * Lines on their way to a log. Whoever writes never waits: lines are kept until the destination takes them, within a
 * bound, and a reader that has stopped costs lines and not requests.
 */
export class LineWriter {
  readonly #options: LineWriterOptions;
  readonly #charactersMax: number;
  readonly #nowMs: () => number;
  #waiting: string[] = [];
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
    this.#waiting.push(line);
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
      const batch = this.#takeBatch();
      this.#writingSinceMs = this.#nowMs();
      const text = batch.join('');
      try {
        await this.#options.destination.write(text);
      } catch (error) {
        this.#options.onError(error, batch.length);
      }
      this.#characters -= text.length;
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

  #takeBatch(): string[] {
    let count = 0;
    let characters = 0;
    while (count < this.#waiting.length && (count === 0 || characters < BATCH_CHARACTERS)) {
      characters += this.#waiting[count]?.length ?? 0;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }
}
