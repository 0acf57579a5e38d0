import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type KubeconfigOptions, kubeconfig } from '@tributary/server/pki';
import type { TestScope } from './scope.ts';
import { temporaryDirectory } from './temporary.ts';

export { type KubeconfigOptions, kubeconfig };

/** Writes a kubeconfig that is removed with the test; returns its path. */
export async function writeKubeconfig(t: TestScope, options: KubeconfigOptions): Promise<string> {
  const path = join(await temporaryDirectory(t, 'kubeconfig-'), 'kubeconfig');
  await writeFile(path, kubeconfig(options), { mode: 0o600 });
  return path;
}
