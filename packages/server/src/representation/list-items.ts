import { Turn } from '../watch-cache/event-loop.ts';
import type { Readable } from '../watch-cache/types.ts';
import type { Chunks } from './form.ts';

/** Items encoded between two checks of the clock. */
const STEP = 32;

/**
 * Visits items one after the other and yields to the event loop: rows and conversions of many objects may have to be
 * made first.
 */
export async function eachItem(
  items: readonly Readable[],
  visit: (item: Readable, index: number) => void,
): Promise<void> {
  const turn = new Turn();
  for (const [index, item] of items.entries()) {
    if (index % STEP === STEP - 1 && turn.isOver) await turn.next();
    visit(item, index);
  }
}

/** The items of a list with commas between them. */
export async function itemChunks(
  items: readonly Readable[],
  chunksOf: (item: Readable) => Chunks,
): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  await eachItem(items, (item, index) => {
    if (index > 0) chunks.push(COMMA);
    for (const chunk of chunksOf(item)) chunks.push(chunk);
  });
  return chunks;
}

const COMMA = Buffer.from(',');

/** A list while it is assembled. */
export interface ListDocument {
  /** The document up to the value of the field that holds the items. */
  readonly start: string;
  readonly items: readonly Readable[];
  readonly chunksOf: (item: Readable) => Chunks;
}
