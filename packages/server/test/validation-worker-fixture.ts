/** Entry of a thread with a job for each kind of failure. */
import { serveJobs } from '../src/validation/serve-jobs.ts';

const nothing = { errors: [], warnings: [] };

serveJobs({
  echo: (texts: readonly string[]) => ({ errors: [], warnings: texts }),
  throw: () => {
    throw new Error('a mistake');
  },
  exit: () => {
    process.exit(3);
  },
  'crash later': () => {
    setTimeout(() => {
      throw new Error('uncaught');
    });
    return nothing;
  },
  'crash at once': () => {
    // The response is sent when the thread ends, and no further message is read.
    process.nextTick(() => {
      throw new Error('uncaught');
    });
    return nothing;
  },
  spin: (channel: string) => {
    // Other threads get the message although the event loop of this one is blocked.
    new BroadcastChannel(channel).postMessage('spinning');
    for (;;);
  },
  hoard: () => {
    const chunks: number[][] = [];
    for (;;) chunks.push(new Array(100_000).fill(chunks.length));
  },
});
