import type { KeyPair } from './issuing.ts';

export interface KubeconfigOptions {
  /** As in `https://127.0.0.1:6443`. */
  server: string;
  /** PEM of who signed the server's certificate. */
  ca: string;
  user: KeyPair | { token: string };
  namespace?: string;
  /** Of the cluster, the user and the context. */
  name?: string;
}

/** A kubeconfig with everything inline. JSON, because all JSON is YAML and needs no quoting rules. */
export function kubeconfig(options: KubeconfigOptions): string {
  const { server, ca, user, namespace, name = 'tributary' } = options;
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, 'certificate-authority-data': base64(ca) } }],
    users: [{ name, user: credentials(user) }],
    contexts: [{ name, context: { cluster: name, user: name, namespace } }],
    'current-context': name,
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
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
