/** The entry of a thread that can be made to fail in every way. */
import { serveJobs } from '../src/validation/serve-jobs.ts';

const nothing = { errors: [], warnings: [] };

serveJobs({
  tell: (texts: readonly string[]) => ({ errors: [], warnings: texts }),
  throw: () => {
    throw new Error('a mistake');
  },
  exit: () => {
    process.exit(3);
  },
  'crash later': () => {
    setTimeout(() => {
      throw new Error('nobody catches this');
    });
    return nothing;
  },
  'crash at once': () => {
    // The answer is on its way when the thread dies, and nothing is read any more.
    process.nextTick(() => {
      throw new Error('nobody catches this');
    });
    return nothing;
  },
  spin: (channel: string) => {
    // Others hear of it although this thread has no turn of its loop any more.
    new BroadcastChannel(channel).postMessage('spinning');
    for (;;);
  },
  hoard: () => {
    const kept: number[][] = [];
    for (;;) kept.push(new Array(100_000).fill(kept.length));
  },
});
