/**
 * Runs several unit test files in this process, one after the other, each as a suite: hooks of a file belong to its
 * suite, and the next file is loaded when the last one has ended.
 */
import { join } from 'node:path';
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';

/** Node exits when a top-level await waits only for unreferenced handles, such as a timer without a reference. */
const alive = setInterval(() => undefined, 1 << 30);
for (const file of process.argv.slice(2)) {
  await describe(file, async () => {
    await import(pathToFileURL(join(process.cwd(), file)).href);
  });
}
clearInterval(alive);
