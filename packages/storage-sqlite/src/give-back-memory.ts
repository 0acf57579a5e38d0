import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** More takes too long to look through while somebody may be waiting, and is worth less: it is in use. */
const HEAP_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Collects everything of this thread once, and gives the pages back: a start makes much that is never needed again, and
 * a server that has little to do would keep it for hours. It takes some tens of milliseconds, so it is for a moment
 * without load, and not for a thread that holds much. Whether it was done.
 */
export function giveBackMemory(heapBytesMax = HEAP_BYTES_MAX): boolean {
  if (getHeapStatistics().used_heap_size > heapBytesMax) return false;
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', flavor: 'last-resort' });
  return true;
}
