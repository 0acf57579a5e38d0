import { Session } from 'node:inspector';
import { getHeapStatistics } from 'node:v8';

/**
 * More takes too long to look through while somebody may be waiting, and is worth less: it is in use. What was made
 * and dropped meanwhile counts here and costs little, so this is more than would be in use.
 */
const HEAP_BYTES_MAX = 96 * 1024 * 1024;

/**
 * Collects everything of this thread once, and gives the pages back, which Node does by and by, or not at all when it
 * has nothing to do. It takes about a millisecond and a half for each megabyte in use, so it is for a moment without
 * load, and not for a thread that holds much. Resolves with whether it was done.
 *
 * The collection is requested from the thread's own inspector. The function `gc` exists only where the flag `--expose-gc` was
 * set when the thread began, and flags of V8 belong to the process: two threads that set and reset it race.
 */
export async function giveBackMemory(heapBytesMax = HEAP_BYTES_MAX): Promise<boolean> {
  if (getHeapStatistics().used_heap_size > heapBytesMax) return false;
  const session = new Session();
  session.connect();
  try {
    return await new Promise<boolean>((resolve) => {
      session.post('HeapProfiler.collectGarbage', (error) => resolve(error === null));
    });
  } finally {
    session.disconnect();
  }
}

export interface GrownOptions {
  /** Less is not worth the while. */
  readonly grownBytes: number;
  readonly heldBytes?: () => number;
  readonly giveBack?: () => Promise<boolean>;
}

/**
 * Gives memory back where this thread holds more than it did after the last time: the first time, what a start left. Never
 * rejects: memory that stays is no reason to end a server.
 */
export function giveBackGrown({
  grownBytes,
  heldBytes = heapBytes,
  giveBack = giveBackMemory,
}: GrownOptions): () => Promise<boolean> {
  let kept = 0;
  return async () => {
    const isDone = heldBytes() - kept >= grownBytes && (await giveBack().catch(() => false));
    if (isDone) kept = heldBytes();
    return isDone;
  };
}

/** With buffers, whose memory is elsewhere. */
function heapBytes(): number {
  const { total_heap_size, external_memory } = getHeapStatistics();
  return total_heap_size + external_memory;
}
