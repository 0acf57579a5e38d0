import type { KeyPair } from './issuing.ts';

export interface KubeconfigOptions {
  /** Such as `https://127.0.0.1:6443`. */
  server: string;
  /** PEM of the CA of the serving certificate. */
  ca: string;
  user: KeyPair | { token: string };
  namespace?: string;
  /** Name of the cluster, the user and the context. */
  name?: string;
}

/** A kubeconfig with everything inline. It is JSON, which is YAML without quoting rules. */
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
