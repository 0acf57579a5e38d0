import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A directory that is deleted after the test. */
export function temporaryDirectory(t: { after(run: () => void): void }): string {
  const directory = mkdtempSync(join(tmpdir(), 'tributary-sqlite-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
