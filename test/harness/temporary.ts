import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defer, type TestScope } from './scope.ts';

/**
 * Creates a directory that is removed after the test; with `KEEP_TMP=1` a failed test keeps it and prints its path.
 */
export async function temporaryDirectory(t: TestScope, prefix = 'tributary-'): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), prefix));
  defer(t, async ({ failed }) => {
    if (failed && process.env.KEEP_TMP === '1') {
      process.stderr.write(`${t.name}: kept ${path}\n`);
      return;
    }
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  });
  return path;
}

/** The path of a new file in its own directory. */
export async function temporaryFile(t: TestScope, name: string): Promise<string> {
  return join(await temporaryDirectory(t), name);
}
