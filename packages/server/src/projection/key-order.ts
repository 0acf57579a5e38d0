import { compareKeys } from '@tributary/storage';

export interface KeyRange {
  readonly prefix: string;
  /** Exclusive. */
  readonly after?: string | undefined;
}

/** Keys in bytewise order, in one array: a projection has few enough that an insert is a short move of memory. */
export class KeyOrder {
  readonly #keys: string[] = [];

  add(key: string): void {
    // Sources mostly list in order.
    const last = this.#keys.at(-1);
    if (last === undefined || compareKeys(last, key) < 0) {
      this.#keys.push(key);
      return;
    }
    const at = this.#firstNot((other) => compareKeys(other, key) < 0);
    if (this.#keys[at] !== key) this.#keys.splice(at, 0, key);
  }

  delete(key: string): void {
    const at = this.#firstNot((other) => compareKeys(other, key) < 0);
    if (this.#keys[at] === key) this.#keys.splice(at, 1);
  }

  count(range: KeyRange): number {
    const { start, end } = this.#bounds(range);
    return end - start;
  }

  /** The first keys of a range, at most `max`. */
  first(range: KeyRange, max: number): readonly string[] {
    const { start, end } = this.#bounds(range);
    return this.#keys.slice(start, Math.min(end, start + max));
  }

  #bounds({ prefix, after }: KeyRange): { start: number; end: number } {
    const first = this.#firstNot((key) => compareKeys(key, prefix) < 0);
    const end = this.#firstNot((key) => key.startsWith(prefix) || compareKeys(key, prefix) < 0);
    if (after === undefined) return { start: first, end };
    const behind = this.#firstNot((key) => compareKeys(key, after) <= 0);
    const start = Math.max(first, behind);
    return { start, end: Math.max(start, end) };
  }

  /** The first index whose key is not before; `isBefore` is true up to there. */
  #firstNot(isBefore: (key: string) => boolean): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(this.#keys[middle] as string)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export function isInRange(key: string, { prefix, after }: KeyRange): boolean {
  return key.startsWith(prefix) && (after === undefined || compareKeys(key, after) > 0);
}
