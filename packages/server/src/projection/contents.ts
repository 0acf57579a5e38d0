import type { Stored } from '@tributary/storage';
import { KeyOrder } from './key-order.ts';

export interface Entry<Item> {
  readonly id: string;
  readonly item: Item;
  readonly stored: Stored;
}

/** The projected items of a source at one revision: by key, in order, and by id. */
export class Contents<Item> {
  readonly order = new KeyOrder();
  readonly #entries = new Map<string, Entry<Item>>();
  readonly #keys = new Map<string, string>();
  #valueBytes = 0;

  get size(): number {
    return this.#entries.size;
  }

  get valueBytes(): number {
    return this.#valueBytes;
  }

  get(key: string): Entry<Item> | undefined {
    return this.#entries.get(key);
  }

  byId(id: string): Entry<Item> | undefined {
    const key = this.#keys.get(id);
    return key === undefined ? undefined : this.#entries.get(key);
  }

  ids(): readonly string[] {
    return [...this.#keys.keys()];
  }

  /** The id must not have another key. */
  set(entry: Entry<Item>): void {
    const { key, value } = entry.stored;
    const previous = this.#entries.get(key);
    this.#valueBytes += value.byteLength - (previous?.stored.value.byteLength ?? 0);
    this.#entries.set(key, entry);
    this.#keys.set(entry.id, key);
    if (previous === undefined) this.order.add(key);
  }

  delete({ id, stored }: Entry<Item>): void {
    this.#valueBytes -= stored.value.byteLength;
    this.#entries.delete(stored.key);
    this.#keys.delete(id);
    this.order.delete(stored.key);
  }
}
