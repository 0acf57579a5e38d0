import { readFile } from 'node:fs/promises';
import type { Clock } from '../timing/clock.ts';

/** Half of the time between the renewal of a projected token and its end, as in client-go. */
const PERIOD_MS = 60_000;

/**
 * A small file that another program renews: read again once a minute. While it cannot be read, the last content is
 * used.
 */
export class CachedFile {
  readonly #file: string;
  readonly #clock: Clock;
  #text: string | undefined;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<string> | undefined;

  constructor(file: string, clock: Clock, initial?: string) {
    this.#file = file;
    this.#clock = clock;
    this.#text = initial;
  }

  async read(): Promise<string> {
    const fresh = this.#clock.nowMs() - this.#readAtMs < PERIOD_MS;
    if (fresh && this.#text !== undefined) return this.#text;
    this.#reading ??= this.#load().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** The next read opens the file. */
  expire(): void {
    this.#readAtMs = Number.NEGATIVE_INFINITY;
  }

  async #load(): Promise<string> {
    try {
      const text = (await readFile(this.#file, 'utf8')).trim();
      if (text === '') throw new Error(`${this.#file} is empty`);
      this.#text = text;
      this.#readAtMs = this.#clock.nowMs();
      return text;
    } catch (error) {
      // The file may be half written; the server decides whether the old content is still valid.
      if (this.#text !== undefined) return this.#text;
      throw error;
    }
  }
}
