/** Runs writes of one key one after the other, and of different keys concurrently. */
export class KeyTurns {
  readonly #last = new Map<string, Promise<unknown>>();

  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const mine = before === undefined ? work() : before.then(work);
    // The next write only waits; the caller of this one gets its error.
    const settled = mine.catch(() => undefined);
    this.#last.set(key, settled);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    }
  }

  /** Resolves when no write is running; no further ones may start. */
  async idle(): Promise<void> {
    await Promise.all(this.#last.values());
  }
}
