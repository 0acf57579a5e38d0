import { join, resolve } from 'node:path';
import type { Client, ResourceType } from '@tributary/client';
import { writePkiFiles } from '@tributary/core-server';
import type { Sample } from './sample.ts';

const serviceAccounts: ResourceType = {
  group: '',
  version: 'v1',
  plural: 'serviceaccounts',
  namespaced: true,
};

export interface CredentialOptions {
  readonly client: Client;
  readonly directory: string;
  /** The core, as a program on this machine reaches it. */
  readonly server: string;
  /** The CA of the core's certificate. */
  readonly caFile: string;
  readonly signal: AbortSignal;
}

export interface Credentials {
  readonly kubeconfig: string;
  readonly expiresAtMs: number;
}

const TOKEN_SECONDS = 60 * 60;

/**
 * A kubeconfig of the sample's service account. Its token is a file of its own, which clients read again once a minute:
 * a new one needs no restart.
 */
export async function writeCredentials(
  { account, service }: Sample,
  { client, directory, server, caFile, signal }: CredentialOptions,
): Promise<Credentials> {
  const { status } = await client
    .resource(serviceAccounts)
    .in(service.namespace)
    .create(
      {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        metadata: { name: account },
        spec: { expirationSeconds: TOKEN_SECONDS },
      },
      { subresource: 'token', signal },
    );
  const { token, expirationTimestamp } = status as { token: string; expirationTimestamp: string };
  const text = kubeconfigText({ server, caFile, namespace: service.namespace, user: account });
  await writePkiFiles(directory, [
    { name: 'token', text: `${token}\n` },
    { name: 'kubeconfig', text },
  ]);
  return {
    kubeconfig: join(directory, 'kubeconfig'),
    expiresAtMs: Date.parse(expirationTimestamp),
  };
}

/** JSON, because all JSON is YAML. Relative files are meant from where the kubeconfig is. */
function kubeconfigText(input: {
  server: string;
  caFile: string;
  namespace: string;
  user: string;
}): string {
  const { server, caFile, namespace, user } = input;
  const name = 'core';
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, 'certificate-authority': resolve(caFile) } }],
    users: [{ name: user, user: { tokenFile: 'token' } }],
    contexts: [{ name, context: { cluster: name, user, namespace } }],
    'current-context': name,
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}
