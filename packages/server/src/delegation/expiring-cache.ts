/** A cache with expiration and least-recently-used eviction. */
export class ExpiringCache<Value> {
  readonly #entriesMax: number;
  readonly #nowMs: () => number;
  /** The first entry is the least recently used. */
  readonly #entries = new Map<string, { readonly value: Value; readonly untilMs: number }>();

  constructor(options: { readonly entriesMax: number; readonly nowMs: () => number }) {
    this.#entriesMax = options.entriesMax;
    this.#nowMs = options.nowMs;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (this.#nowMs() >= entry.untilMs) return undefined;
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: Value, ttlMs: number): void {
    this.#entries.delete(key);
    if (ttlMs <= 0) return;
    this.#entries.set(key, { value, untilMs: this.#nowMs() + ttlMs });
    if (this.#entries.size <= this.#entriesMax) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }
}
