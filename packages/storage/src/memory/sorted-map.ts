import { compareKeys, comparePlainKeys, isPlainKey } from '../contract/keys.ts';

/** The position of a key, or of its insertion: a block and an index within it. */
interface Position {
  readonly block: number;
  readonly index: number;
}

interface Block<Value> {
  readonly keys: string[];
  readonly values: Value[];
}

/** Keys with the prefix that follow `after`. */
export interface KeyRange {
  readonly prefix: string;
  readonly after?: string | undefined;
}

/** Large enough that a million keys are a few thousand blocks, small enough to shift in a microsecond. */
const BLOCK_KEYS_MAX = 512;

/**
 * A map in the bytewise order of its keys: blocks of sorted arrays, split in two when full and dropped when empty. A
 * lookup is a binary search over blocks and one within; a count adds the sizes of blocks, so that neither depends on
 * the number of keys in a range.
 */
export class SortedMap<Value> {
  readonly #blocks: Block<Value>[] = [];
  #size = 0;
  /** Exact from the first key on that needs it. */
  #compare = comparePlainKeys;

  get size(): number {
    return this.#size;
  }

  get(key: string): Value | undefined {
    const { block, index } = this.#firstNotBefore((other) => this.#compare(other, key) < 0);
    const found = this.#blocks[block];
    return found?.keys[index] === key ? found.values[index] : undefined;
  }

  /** Returns the value that was replaced. */
  set(key: string, value: Value): Value | undefined {
    if (!isPlainKey(key)) this.#compare = compareKeys;
    const position = this.#firstNotBefore((other) => this.#compare(other, key) < 0);
    const block = this.#blocks[position.block];
    if (block?.keys[position.index] === key) {
      const previous = block.values[position.index];
      block.values[position.index] = value;
      return previous;
    }
    this.#insert(position, key, value);
    return undefined;
  }

  /** Returns the value that was deleted. */
  delete(key: string): Value | undefined {
    const position = this.#firstNotBefore((other) => this.#compare(other, key) < 0);
    const block = this.#blocks[position.block];
    if (block?.keys[position.index] !== key) return undefined;
    block.keys.splice(position.index, 1);
    const [deleted] = block.values.splice(position.index, 1);
    if (block.keys.length === 0) this.#blocks.splice(position.block, 1);
    this.#size -= 1;
    return deleted;
  }

  first(): readonly [key: string, value: Value] | undefined {
    for (const entry of this.range({ prefix: '' })) return entry;
    return undefined;
  }

  /** In order. The map must not change during the iteration. */
  *range(range: KeyRange): Generator<readonly [key: string, value: Value]> {
    let { block, index } = this.#start(range);
    for (; ; index = 0, block += 1) {
      const current = this.#blocks[block];
      if (current === undefined) return;
      for (; index < current.keys.length; index += 1) {
        const key = current.keys[index] as string;
        if (!key.startsWith(range.prefix)) return;
        yield [key, current.values[index] as Value];
      }
    }
  }

  count(range: KeyRange): number {
    const start = this.#rank(this.#start(range));
    const end = this.#rank(this.#end(range.prefix));
    return Math.max(0, end - start);
  }

  #start({ prefix, after }: KeyRange): Position {
    if (after !== undefined && this.#compare(after, prefix) >= 0) {
      return this.#firstNotBefore((key) => this.#compare(key, after) <= 0);
    }
    return this.#firstNotBefore((key) => this.#compare(key, prefix) < 0);
  }

  /** Testing each key avoids computing the prefix's successor, which need not be a string at all. */
  #end(prefix: string): Position {
    return this.#firstNotBefore((key) => key.startsWith(prefix) || this.#compare(key, prefix) < 0);
  }

  /** The first position whose key is not before; the end of the last block when all are. */
  #firstNotBefore(isBefore: (key: string) => boolean): Position {
    const blocks = this.#blocks;
    const block = partition(blocks.length, (at) => isBefore(blocks[at]?.keys.at(-1) as string));
    const last = blocks.length - 1;
    if (block > last) return { block: Math.max(last, 0), index: blocks[last]?.keys.length ?? 0 };
    const keys = blocks[block]?.keys ?? [];
    return { block, index: partition(keys.length, (at) => isBefore(keys[at] as string)) };
  }

  #rank({ block, index }: Position): number {
    let rank = index;
    for (let before = 0; before < block; before += 1)
      rank += this.#blocks[before]?.keys.length ?? 0;
    return rank;
  }

  #insert({ block: at, index }: Position, key: string, value: Value): void {
    this.#size += 1;
    const block = this.#blocks[at];
    if (block === undefined) {
      this.#blocks.push({ keys: [key], values: [value] });
      return;
    }
    block.keys.splice(index, 0, key);
    block.values.splice(index, 0, value);
    if (block.keys.length > BLOCK_KEYS_MAX) this.#split(at, block, index);
  }

  /** Keys often arrive in order: an insert at the end keeps the left block full instead of half. */
  #split(at: number, block: Block<Value>, inserted: number): void {
    const cut = inserted === block.keys.length - 1 ? inserted : block.keys.length >> 1;
    this.#blocks.splice(at + 1, 0, {
      keys: block.keys.splice(cut),
      values: block.values.splice(cut),
    });
  }
}

/** The first index in [0, length) for which `isBefore` is false; it is true up to there. */
function partition(length: number, isBefore: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
