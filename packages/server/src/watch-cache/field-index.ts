import type { ResourceObject } from './cached-object.ts';
import { ObjectIndex } from './object-index.ts';

/** Objects by the value of each indexed field, in key order, so that equality does not scan. */
export class FieldIndex {
  readonly #fields: ReadonlyMap<string, Map<string, ObjectIndex<ResourceObject>>>;

  constructor(fields: readonly string[]) {
    this.#fields = new Map(fields.map((field) => [field, new Map()]));
  }

  /** Undefined when the field has no index. */
  find({
    field,
    value,
  }: {
    field: string;
    value: string;
  }): ObjectIndex<ResourceObject> | undefined {
    const values = this.#fields.get(field);
    return values && (values.get(value) ?? new ObjectIndex());
  }

  has(field: string): boolean {
    return this.#fields.has(field);
  }

  add(object: ResourceObject): void {
    for (const [field, values] of this.#fields) {
      const value = indexedValue(object, field);
      if (value === undefined) continue;
      const objects = values.get(value);
      if (objects !== undefined) objects.set(object);
      else values.set(value, indexOf(object));
    }
  }

  remove(object: ResourceObject): void {
    for (const [field, values] of this.#fields) {
      const value = indexedValue(object, field);
      if (value === undefined) continue;
      const objects = values.get(value);
      objects?.delete(object.key);
      if (objects?.size === 0) values.delete(value);
    }
  }
}

/** Undefined for an object that cannot be decoded: lists report its error, and the index does not need it. */
export function indexedValue(object: ResourceObject, field: string): string | undefined {
  try {
    return object.fields[field] ?? '';
  } catch {
    return undefined; // Decode errors surface at read time; see `decodeStored`.
  }
}

function indexOf(object: ResourceObject): ObjectIndex<ResourceObject> {
  const objects = new ObjectIndex<ResourceObject>();
  objects.set(object);
  return objects;
}
