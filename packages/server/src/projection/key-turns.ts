/** Writes of one key one after the other, of different keys side by side. */
export class KeyTurns {
  readonly #last = new Map<string, Promise<unknown>>();

  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const mine = before === undefined ? work() : before.then(work);
    // Whoever is next only waits; what went wrong is for who asked.
    const settled = mine.catch(() => undefined);
    this.#last.set(key, settled);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    }
  }

  /** Until nothing is under way; to be asked when nothing more will come. */
  async idle(): Promise<void> {
    await Promise.all(this.#last.values());
  }
}
