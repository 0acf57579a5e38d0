import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { kubeconfig } from '../pki/kubeconfig.ts';
import type { StandalonePki } from '../pki/standalone.ts';
import type { CommonFlags } from './flags.ts';

/** Writes the kubeconfig of an administrator, for a server that issued its own certificates. */
export async function writeKubeconfig(
  flags: Pick<CommonFlags, 'dataDir'>,
  pki: Pick<StandalonePki, 'ca' | 'admin'>,
  url: string,
  name: string,
): Promise<string> {
  const path = join(flags.dataDir, 'admin.kubeconfig');
  const server = url.replace(/0\.0\.0\.0|\[::\]/, '127.0.0.1');
  const text = kubeconfig({ server, ca: pki.ca, user: pki.admin, name, namespace: 'default' });
  // With a current file the server starts on a full disk, too.
  if (!existsSync(path) || (await readFile(path, 'utf8')) !== text) {
    await mkdir(flags.dataDir, { recursive: true });
    await writeFile(`${path}.new`, text, { mode: 0o600 });
    await rename(`${path}.new`, path);
  }
  return path;
}
