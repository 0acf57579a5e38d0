import type { Revision } from '@tributary/storage';

/** The maximum number of remembered pages; the oldest are dropped first. */
const COUNTS_MAX = 256;

interface Place {
  readonly prefix: string;
  readonly revision: Revision;
  readonly after: string | undefined;
}

/**
 * The number of keys after a page at its revision. A client that follows a list requests the keys after its last page
 * next: counting for each page would make paging through many keys quadratic.
 */
export class PageCounts {
  readonly #counts = new Map<string, number>();

  get(place: Place): number | undefined {
    return this.#counts.get(keyOf(place));
  }

  set(place: Place, count: number): void {
    const key = keyOf(place);
    this.#counts.delete(key);
    this.#counts.set(key, count);
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > COUNTS_MAX && oldest !== undefined) this.#counts.delete(oldest);
  }
}

/** Keys have no U+0000. */
function keyOf({ prefix, revision, after }: Place): string {
  return `${revision}\0${prefix}\0${after ?? ''}`;
}
