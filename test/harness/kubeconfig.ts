import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeyPair } from './pki.ts';
import type { TestScope } from './scope.ts';
import { temporaryDirectory } from './temporary.ts';

export interface KubeconfigOptions {
  /** As in `https://127.0.0.1:6443`. */
  server: string;
  /** PEM of who signed the server's certificate. */
  ca: string;
  user: KeyPair | { token: string };
  namespace?: string;
}

/** A kubeconfig with everything inline. JSON, because all JSON is YAML and needs no quoting rules. */
export function kubeconfig({ server, ca, user, namespace }: KubeconfigOptions): string {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server, 'certificate-authority-data': base64(ca) } }],
    users: [{ name: 'test', user: credentials(user) }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test', namespace } }],
    'current-context': 'test',
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}

/** Writes a kubeconfig that goes with the test; gives its path. */
export async function writeKubeconfig(t: TestScope, options: KubeconfigOptions): Promise<string> {
  const path = join(await temporaryDirectory(t, 'kubeconfig-'), 'kubeconfig');
  await writeFile(path, kubeconfig(options), { mode: 0o600 });
  return path;
}

function credentials(user: KubeconfigOptions['user']): Record<string, string> {
  if ('token' in user) return { token: user.token };
  return {
    'client-certificate-data': base64(user.cert),
    'client-key-data': base64(user.key),
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
