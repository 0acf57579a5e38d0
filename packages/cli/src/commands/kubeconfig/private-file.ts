import { basename, dirname } from 'node:path';

/** Whole or not at all, and for the user of this process alone. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const { writePkiFiles } = await import('@tributary/core-server');
  await writePkiFiles(dirname(path), [{ name: basename(path), text }]);
}
