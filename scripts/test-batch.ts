/**
 * Runs several unit test files in this process, one after the other, each as a suite of its own: hooks of a file are
 * those of its suite, and the next file is loaded when the last one is over.
 */
import { join } from 'node:path';
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';

/** Node ends a program whose top-level await waits for nothing that it counts, such as a timer without a reference. */
const alive = setInterval(() => undefined, 1 << 30);
for (const file of process.argv.slice(2)) {
  await describe(file, async () => {
    await import(pathToFileURL(join(process.cwd(), file)).href);
  });
}
clearInterval(alive);
