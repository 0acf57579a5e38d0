/** The entry of a thread that can be made to fail in every way. */
import { serveJobs } from '../src/judging/serve-jobs.ts';

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
  spin: () => {
    for (;;);
  },
  wait: (ms: number) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    return nothing;
  },
  hoard: () => {
    const kept: number[][] = [];
    for (;;) kept.push(new Array(100_000).fill(kept.length));
  },
});
