import { SortedMap } from './sorted-map.ts';

/** Digits of a time in milliseconds, so that strings sort in the order of times. */
const TIME_DIGITS = 16;

/** The expiry times of keys; each key at most once. */
export class ExpiryQueue {
  readonly #byTime = new SortedMap<string>();
  readonly #entryOf = new Map<string, string>();

  set(key: string, atMs: number): void {
    this.delete(key);
    const entry = `${String(Math.ceil(atMs)).padStart(TIME_DIGITS, '0')}${key}`;
    this.#byTime.set(entry, key);
    this.#entryOf.set(key, entry);
  }

  delete(key: string): void {
    const entry = this.#entryOf.get(key);
    if (entry === undefined) return;
    this.#byTime.delete(entry);
    this.#entryOf.delete(key);
  }

  next(): { readonly key: string; readonly atMs: number } | undefined {
    const first = this.#byTime.first();
    return first && { key: first[1], atMs: Number(first[0].slice(0, TIME_DIGITS)) };
  }
}
