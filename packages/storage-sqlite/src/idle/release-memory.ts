import { Session } from 'node:inspector';
import { getHeapStatistics } from 'node:v8';

/**
 * A larger heap takes too long to collect while requests may be waiting, and little of it would be released. Garbage
 * counts here too and costs little, so the bound is above the memory in use.
 */
const HEAP_BYTES_MAX = 96 * 1024 * 1024;

/**
 * Collects all garbage of this thread once, and returns the pages to the system, which Node does slowly, or not at all
 * when it is idle. It takes about 1.5 ms for each megabyte in use, so it is for an idle thread with a small heap.
 * Resolves with whether it ran. The collection is requested from the thread's own inspector. The function `gc` exists
 * only where the flag `--expose-gc` was set when the thread began, and flags of V8 belong to the process: two threads
 * that set and reset it race.
 */
export async function releaseMemory(heapBytesMax = HEAP_BYTES_MAX): Promise<boolean> {
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

export interface ReleaseOptions {
  /** Releases nothing below this growth. */
  readonly grownBytes: number;
  readonly usedBytes?: () => number;
  readonly release?: () => Promise<boolean>;
}

/**
 * Releases memory when this thread has grown since the last time; the first time, since its start. Never rejects: a
 * failure is no reason to end a server.
 */
export function releaseGrownMemory({
  grownBytes,
  usedBytes = heapBytes,
  release = releaseMemory,
}: ReleaseOptions): () => Promise<boolean> {
  let baseline = 0;
  return async () => {
    const isDone = usedBytes() - baseline >= grownBytes && (await release().catch(() => false));
    if (isDone) baseline = usedBytes();
    return isDone;
  };
}

/** Includes buffers, whose memory is outside of the heap. */
function heapBytes(): number {
  const { total_heap_size, external_memory } = getHeapStatistics();
  return total_heap_size + external_memory;
}
