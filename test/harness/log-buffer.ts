/** Keeps the end of a log within a bound, and marks a truncated beginning. */
export class LogBuffer {
  readonly #charactersMax: number;
  #chunks: string[] = [];
  #length = 0;
  #dropped = 0;

  constructor(charactersMax = 1024 * 1024) {
    this.#charactersMax = charactersMax;
  }

  append(chunk: string): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    // Compacting at twice the bound makes the average cost of a chunk constant.
    if (this.#length > 2 * this.#charactersMax) this.#compact();
  }

  text(): string {
    this.#compact();
    const note = this.#dropped > 0 ? `(… ${this.#dropped} earlier characters dropped)\n` : '';
    return note + this.#chunks.join('');
  }

  tail(lines: number): string {
    return this.text().trimEnd().split('\n').slice(-lines).join('\n');
  }

  #compact(): void {
    const all = this.#chunks.join('');
    const tail = all.slice(-this.#charactersMax);
    this.#dropped += all.length - tail.length;
    this.#chunks = [tail];
    this.#length = tail.length;
  }
}
