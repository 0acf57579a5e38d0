import { setImmediate } from 'node:timers/promises';

/** Longer than this nobody waits for the values of a page to be opened. */
const TURN_MS = 5;
/** Looking at the clock costs a little too. */
const ITEMS_PER_LOOK = 32;

/** Maps one item after the other, and lets others have a turn when that takes long. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
  signal?: AbortSignal,
): Promise<Result[]> {
  const results: Result[] = [];
  let startMs = performance.now();
  for (const item of items) {
    results.push(map(item));
    if (results.length % ITEMS_PER_LOOK !== 0 || performance.now() - startMs < TURN_MS) continue;
    await setImmediate();
    signal?.throwIfAborted();
    startMs = performance.now();
  }
  return results;
}
