import type { KubeObject } from '@tributary/apimachinery';
import type { Revision } from '@tributary/storage';

interface Write {
  readonly revision: Revision;
  readonly object: KubeObject;
  readonly bytes: number;
}

/** The bound of all objects in their stored form; in memory they take a few times as much. */
const BYTES_MAX = 4 * 1024 * 1024;

/**
 * The objects of the last writes, as they were encoded. The writer of an object often writes it again, and this saves
 * decoding it with the fields of all its managers. The oldest writes are evicted.
 */
export class RecentWrites {
  readonly #bytesMax: number;
  readonly #writes = new Map<string, Write>();
  #bytes = 0;

  constructor(bytesMax = BYTES_MAX) {
    this.#bytesMax = bytesMax;
  }

  /** The object at a path, if its last write has this revision. */
  find(path: string, revision: Revision): KubeObject | undefined {
    const write = this.#writes.get(path);
    return write?.revision === revision ? write.object : undefined;
  }

  add(path: string, write: Write): void {
    const before = this.#writes.get(path)?.object;
    this.forget(path);
    if (write.bytes > this.#bytesMax || !isDecodedAlike(write.object, before)) return;
    this.#writes.set(path, write);
    this.#bytes += write.bytes;
    for (const oldest of this.#writes.keys()) {
      if (this.#bytes <= this.#bytesMax) return;
      this.forget(oldest);
    }
  }

  forget(path: string): void {
    const write = this.#writes.get(path);
    if (write === undefined) return;
    this.#writes.delete(path);
    this.#bytes -= write.bytes;
  }
}

/**
 * Whether decoding returns an equal object: an author's code may have left `undefined` or values other than data in it.
 * Parts of the previous object need no second check.
 */
function isDecodedAlike({ metadata, ...fields }: KubeObject, before?: KubeObject): boolean {
  // The entries are many, and authors do not change them.
  const { managedFields: _managed, ...others } = metadata;
  return isJson(others, before?.metadata) && isJson(fields, before);
}

function isJson(value: unknown, known: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0);
    case 'object':
      return value === null || value === known || isJsonContainer(value, known);
    default:
      return false;
  }
}

function isJsonContainer(value: object, known: unknown): boolean {
  const counterparts = (known ?? {}) as Readonly<Record<string, unknown>>;
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return isPlain && Object.entries(value).every(([name, part]) => isJson(part, counterparts[name]));
}
