/** Keeps the end of a log within a bound, and says so when the beginning is gone. */
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
    // Compacting at twice the bound keeps the cost of a chunk constant on average.
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
    const kept = all.slice(-this.#charactersMax);
    this.#dropped += all.length - kept.length;
    this.#chunks = [kept];
    this.#length = kept.length;
  }
}
