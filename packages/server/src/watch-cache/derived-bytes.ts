/** An owner of derived values that can drop them. */
export interface DerivedOwner {
  dropDerived(): void;
}

/** The list entry and the map entry that come with a derived value. */
const ENTRY_BYTES = 120;

/**
 * The derived values of the objects of all caches, in the order in which they were first made. Beyond the bound the
 * oldest is evicted regardless of use: a hit costs nothing, and values in use are made again.
 */
export class DerivedBytes<Owner extends DerivedOwner = DerivedOwner> {
  readonly #owners = new Map<Owner, number>();
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(owner: Owner, bytes: number): void {
    const added = bytes + ENTRY_BYTES;
    this.#owners.set(owner, (this.#owners.get(owner) ?? 0) + added);
    this.#bytes += added;
    if (this.#bytes > this.#bytesMax) this.evictTo(this.#bytesMax);
  }

  /** Called when the owner leaves the cache; readers that still hold it keep its derived values. */
  forget(owner: Owner): void {
    const bytes = this.#owners.get(owner);
    if (bytes === undefined) return;
    this.#owners.delete(owner);
    this.#bytes -= bytes;
  }

  forgetAll(isGone: (owner: Owner) => boolean): void {
    for (const owner of this.#owners.keys()) if (isGone(owner)) this.forget(owner);
  }

  evictTo(bytesMax: number): void {
    for (const owner of this.#owners.keys()) {
      if (this.#bytes <= bytesMax) return;
      this.forget(owner);
      owner.dropDerived();
    }
  }
}
