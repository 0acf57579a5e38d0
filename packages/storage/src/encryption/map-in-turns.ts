import { setImmediate } from 'node:timers/promises';

/** The longest time that decrypting a page may block the event loop. */
const TURN_MS = 5;
/** Reading the clock has a cost too. */
const ITEMS_PER_CHECK = 32;

export interface TurnOptions {
  readonly signal?: AbortSignal | undefined;
  readonly nowMs?: () => number;
}

/** Maps one item after the other, and yields to the event loop when that takes long. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
  { signal, nowMs = () => performance.now() }: TurnOptions = {},
): Promise<Result[]> {
  const results: Result[] = [];
  let startMs = nowMs();
  for (const item of items) {
    results.push(map(item));
    if (results.length % ITEMS_PER_CHECK !== 0 || nowMs() - startMs < TURN_MS) continue;
    await setImmediate();
    signal?.throwIfAborted();
    startMs = nowMs();
  }
  return results;
}
