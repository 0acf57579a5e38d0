import { compareKeys } from '@tributary/storage';

export interface Keyed {
  readonly key: string;
}

/** Keys that begin with the prefix and sort after `after`. */
export interface KeyWindow {
  readonly prefix: string;
  readonly after?: string | undefined;
}

interface Position {
  readonly block: number;
  readonly index: number;
}

/** A million objects are a few thousand blocks, and shifting half a block takes a microsecond. */
const BLOCK_MAX = 512;

/**
 * Objects in the bytewise order of their keys. Like the store's `SortedMap`, blocks of sorted arrays; unlike it, it
 * stores no keys beside the objects and returns ranges as copied slices, because a list of everything is its most
 * frequent use.
 */
export class ObjectIndex<T extends Keyed> {
  readonly #blocks: T[][] = [];
  #size = 0;
  /** Native comparison goes by UTF-16 units, which differs from bytes from surrogates on. */
  #plain = true;

  get size(): number {
    return this.#size;
  }

  set(object: T): void {
    if (this.#plain && !isPlain(object.key)) this.#plain = false;
    const { block: at, index } = this.#notBefore(object.key);
    const block = this.#blocks[at];
    if (block === undefined) {
      this.#blocks.push([object]);
    } else if (block[index]?.key === object.key) {
      block[index] = object;
      return;
    } else {
      block.splice(index, 0, object);
      if (block.length > BLOCK_MAX) this.#split(at, block, index);
    }
    this.#size += 1;
  }

  delete(key: string): void {
    const { block: at, index } = this.#notBefore(key);
    const block = this.#blocks[at];
    if (block?.[index]?.key !== key) return;
    block.splice(index, 1);
    if (block.length === 0) this.#blocks.splice(at, 1);
    this.#size -= 1;
  }

  /** The objects of a window in order, at most `limit` of them. */
  slice(window: KeyWindow, limit = Number.POSITIVE_INFINITY): T[] {
    const start = this.#start(window);
    const end = this.#end(window.prefix);
    const parts: T[][] = [];
    let room = limit;
    for (let at = start.block; at <= end.block && room > 0; at += 1) {
      const from = at === start.block ? start.index : 0;
      const to = at === end.block ? end.index : BLOCK_MAX;
      const part = this.#blocks[at]?.slice(from, Math.min(to, from + room)) ?? [];
      parts.push(part);
      room -= part.length;
    }
    // Copies whole blocks of memory, which pushing one object after the other does not.
    return ([] as T[]).concat(...parts);
  }

  count(window: KeyWindow): number {
    const start = this.#rank(this.#start(window));
    return Math.max(0, this.#rank(this.#end(window.prefix)) - start);
  }

  #start({ prefix, after }: KeyWindow): Position {
    if (after === undefined || this.#isBefore(after, prefix)) return this.#notBefore(prefix);
    return this.#first((key) => !this.#isBefore(after, key));
  }

  /** Checking each key avoids computing the successor of the prefix, which need not be a string. */
  #end(prefix: string): Position {
    return this.#first((key) => key.startsWith(prefix) || this.#isBefore(key, prefix));
  }

  #notBefore(key: string): Position {
    return this.#first((other) => this.#isBefore(other, key));
  }

  #isBefore(a: string, b: string): boolean {
    return this.#plain ? a < b : compareKeys(a, b) < 0;
  }

  /** The first position that `skips` is false for; the end of the last block when there is none. */
  #first(skips: (key: string) => boolean): Position {
    const blocks = this.#blocks;
    const last = blocks.length - 1;
    const block = partition(blocks.length, (at) => skips(blocks[at]?.at(-1)?.key as string));
    if (block > last) return { block: Math.max(last, 0), index: blocks[last]?.length ?? 0 };
    const objects = blocks[block] ?? [];
    return { block, index: partition(objects.length, (at) => skips(objects[at]?.key as string)) };
  }

  #rank({ block, index }: Position): number {
    let rank = index;
    for (let before = 0; before < block; before += 1) rank += this.#blocks[before]?.length ?? 0;
    return rank;
  }

  /** Filling inserts in order: an insert at the end leaves the left block full, not half full. */
  #split(at: number, block: T[], inserted: number): void {
    const cut = inserted === block.length - 1 ? inserted : block.length >> 1;
    this.#blocks.splice(at + 1, 0, block.splice(cut));
  }
}

function isPlain(key: string): boolean {
  return !/[\ud800-\uffff]/.test(key);
}

/** The first index in [0, length) that `skips` is false for; it is true up to there. */
function partition(length: number, skips: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (skips(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
