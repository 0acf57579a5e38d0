/** Random choices that a printed seed repeats. */
export interface Random {
  /** An integer from 0 up to, not including, `end`. */
  below(end: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

/** Mulberry32: small, and good enough to choose keys. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (end: number) => Math.floor(next() * end);
  return { below, pick: (items) => items[below(items.length)] as (typeof items)[number] };
}
