import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * More takes too long to look through while somebody may be waiting, and is worth less: it is in use. What was made
 * and dropped meanwhile counts here and costs little, so this is more than would be in use.
 */
const HEAP_BYTES_MAX = 96 * 1024 * 1024;

/**
 * Collects everything of this thread once, and gives the pages back, which Node does by and by, or not at all when it
 * has nothing to do. It takes about a millisecond and a half for each megabyte in use, so it is for a moment without
 * load, and not for a thread that holds much. Whether it was done.
 */
export function giveBackMemory(heapBytesMax = HEAP_BYTES_MAX): boolean {
  if (getHeapStatistics().used_heap_size > heapBytesMax) return false;
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', flavor: 'last-resort' });
  return true;
}

export interface GrownOptions {
  /** Less is not worth the while. */
  readonly grownBytes: number;
  readonly heldBytes?: () => number;
  readonly giveBack?: () => boolean;
}

/** Gives memory back where this thread holds more than it did after the last time: the first time, what a start left. */
export function giveBackGrown({
  grownBytes,
  heldBytes = heapBytes,
  giveBack = giveBackMemory,
}: GrownOptions): () => boolean {
  let kept = 0;
  return () => {
    if (heldBytes() - kept < grownBytes || !giveBack()) return false;
    kept = heldBytes();
    return true;
  };
}

/** With buffers, whose memory is elsewhere. */
function heapBytes(): number {
  const { total_heap_size, external_memory } = getHeapStatistics();
  return total_heap_size + external_memory;
}
