import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import type { ClientConfig } from './client-config.ts';
import { KubeconfigError } from './kubeconfig-error.ts';

export interface ServiceAccountOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The directory of the service account's files. */
  readonly serviceAccountDirectory?: string;
}

const SERVICE_ACCOUNT_DIRECTORY = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Whether this process runs in a pod with the address of its API server. */
export function isInCluster({ env = process.env }: ServiceAccountOptions = {}): boolean {
  return Boolean(env.KUBERNETES_SERVICE_HOST) && Boolean(env.KUBERNETES_SERVICE_PORT);
}

/** The service account of the pod. Its token and authority are read again, because the kubelet renews them. */
export async function inClusterConfig(options: ServiceAccountOptions = {}): Promise<ClientConfig> {
  const { env = process.env, serviceAccountDirectory = SERVICE_ACCOUNT_DIRECTORY } = options;
  const host = env.KUBERNETES_SERVICE_HOST;
  const port = env.KUBERNETES_SERVICE_PORT;
  const tokenFile = join(serviceAccountDirectory, 'token');
  if (!host || !port) {
    throw new KubeconfigError(
      { file: tokenFile },
      'KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set: this is not inside a cluster',
    );
  }
  await readServiceAccount(tokenFile);
  return {
    server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    ca: { file: join(serviceAccountDirectory, 'ca.crt') },
    identity: { authorization: { kind: 'token-file', file: tokenFile } },
    namespace: (await readServiceAccount(join(serviceAccountDirectory, 'namespace'))).trim(),
  };
}

async function readServiceAccount(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new KubeconfigError({ file }, 'cannot be read; is there a service account?', { cause });
  }
}
