/** Values by name, each made from its source on first use: an object uses a small part of a large schema. */
export class LazyMap<Source, Value> implements ReadonlyMap<string, Value> {
  readonly #sources: ReadonlyMap<string, Source>;
  readonly #make: (source: Source, name: string) => Value;
  #made = new Map<string, Value>();

  constructor(sources: Iterable<[string, Source]>, make: (source: Source, name: string) => Value) {
    this.#sources = new Map(sources);
    this.#make = make;
  }

  get size(): number {
    return this.#sources.size;
  }

  has(name: string): boolean {
    return this.#sources.has(name);
  }

  get(name: string): Value | undefined {
    const known = this.#made.get(name);
    if (known !== undefined || !this.#sources.has(name)) return known;
    const value = this.#make(this.#sources.get(name) as Source, name);
    this.#made.set(name, value);
    return value;
  }

  keys(): MapIterator<string> {
    return this.#sources.keys();
  }

  values(): MapIterator<Value> {
    return this.#all().values();
  }

  entries(): MapIterator<[string, Value]> {
    return this.#all().entries();
  }

  [Symbol.iterator](): MapIterator<[string, Value]> {
    return this.entries();
  }

  forEach(visit: (value: Value, name: string, map: ReadonlyMap<string, Value>) => void): void {
    for (const [name, value] of this) visit(value, name, this);
  }

  /** In the order of the sources. */
  #all(): ReadonlyMap<string, Value> {
    if (this.#made.size === this.#sources.size && this.#isOrdered) return this.#made;
    const all = new Map<string, Value>();
    for (const name of this.#sources.keys()) all.set(name, this.get(name) as Value);
    this.#made = all;
    this.#isOrdered = true;
    return all;
  }

  #isOrdered = false;
}
