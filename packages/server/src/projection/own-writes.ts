/**
 * The items that this process wrote during a list: their state in the list may be older than the write, and is left to
 * the next list.
 */
export class OwnWrites {
  readonly #running = new Map<string, number>();
  #touched: Set<string> | undefined;

  /** Runs a write of an item, or a single read, up to the moment it is in the mirror. */
  async during<T>(id: string, work: () => Promise<T>): Promise<T> {
    this.#touched?.add(id);
    this.#running.set(id, (this.#running.get(id) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = (this.#running.get(id) ?? 1) - 1;
      if (left === 0) this.#running.delete(id);
      else this.#running.set(id, left);
    }
  }

  /** Called before a list; returns the set of ids that were, are or will be written until the next call. */
  watch(): ReadonlySet<string> {
    this.#touched = new Set(this.#running.keys());
    return this.#touched;
  }

  /** Called when the list is in the mirror. */
  unwatch(): void {
    this.#touched = undefined;
  }
}
