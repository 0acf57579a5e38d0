import { display } from './display.ts';
import { CelError, celError } from './errors.ts';
import { type MapValue, type Result, Uint, type Value } from './value.ts';

interface Entry {
  readonly key: Value;
  readonly value: Value;
}

/** A map of an expression. Keys of different numeric types are different keys that find each other. */
export class EntryMap implements MapValue {
  readonly kind = 'map';
  /** By the key itself, which is a primitive, except for uints, whose numbers have a map of their own. */
  readonly #entries = new Map<Value, Entry>();
  #uints: Map<bigint, Entry> | undefined;

  get size(): number {
    return this.#entries.size + (this.#uints?.size ?? 0);
  }

  get(key: Value): Result | undefined {
    if (typeof key === 'bigint') {
      return (this.#entries.get(key) ?? this.#uints?.get(key))?.value;
    }
    if (key instanceof Uint) {
      return (this.#uints?.get(key.value) ?? this.#entries.get(key.value))?.value;
    }
    const entry = this.#entries.get(key);
    if (entry === undefined && typeof key === 'number' && Number.isInteger(key)) {
      return this.get(BigInt(key));
    }
    return entry?.value;
  }

  /** One by one: a caller that needs only the first does not pay for all. */
  *keys(): Generator<Value> {
    for (const { key } of this.#entries.values()) {
      yield key;
    }
    for (const { key } of this.#uints?.values() ?? []) {
      yield key;
    }
  }

  /** For building only: a map is not changed once an expression can see it. */
  set(key: Value, value: Value): void {
    if (key instanceof Uint) {
      this.#uints ??= new Map();
      this.#uints.set(key.value, { key, value });
    } else {
      this.#entries.set(key, { key, value });
    }
  }

  delete(key: Value): void {
    if (key instanceof Uint) {
      this.#uints?.delete(key.value);
    } else {
      this.#entries.delete(key);
    }
  }
}

/** The map a loop collects into. Only the loop's own accumulator holds it, so it may grow in place. */
export class GrowingMap extends EntryMap {}

/** The map with one more key, or the error of a key that is there. */
export function withEntry(map: MapValue, key: Value, value: Value): MapValue | CelError {
  if (map.get(key) !== undefined) {
    return celError(`insert failed: key ${display(key)} already exists`);
  }
  const target = map instanceof GrowingMap ? map : copyOf(map);
  if (target instanceof CelError) {
    return target;
  }
  target.set(key, value);
  return target;
}

function copyOf(map: MapValue): EntryMap | CelError {
  const copy = new EntryMap();
  for (const key of map.keys()) {
    const value = map.get(key);
    if (value instanceof CelError) {
      return value;
    }
    if (value !== undefined) {
      copy.set(key, value);
    }
  }
  return copy;
}
