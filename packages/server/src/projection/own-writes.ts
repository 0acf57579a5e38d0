/**
 * Which items this process wrote while a list of them was under way: what the list says of these may
 * be older than the write, and is left to the next one.
 */
export class OwnWrites {
  readonly #underWay = new Map<string, number>();
  #touched: Set<string> | undefined;

  /** Around everything that writes an item, or reads it by itself, up to the moment it is shown. */
  async during<T>(id: string, work: () => Promise<T>): Promise<T> {
    this.#touched?.add(id);
    this.#underWay.set(id, (this.#underWay.get(id) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = (this.#underWay.get(id) ?? 1) - 1;
      if (left === 0) this.#underWay.delete(id);
      else this.#underWay.set(id, left);
    }
  }

  /** Called before a list; answers what was, is or will be written until the next call. */
  watch(): ReadonlySet<string> {
    this.#touched = new Set(this.#underWay.keys());
    return this.#touched;
  }

  /** The list has been taken in. */
  unwatch(): void {
    this.#touched = undefined;
  }
}
