import { generateKeyPairSync } from 'node:crypto';
import { type KeySet, serviceAccountKeys } from '../src/authentication/service-account/key-set.ts';
import type {
  AccountObject,
  BoundObject,
  LiveObjects,
  PodObject,
  SecretObject,
} from '../src/authentication/service-account/types.ts';

export const NOW_MS = 1_700_000_000_000;
export const NOW_SECONDS = NOW_MS / 1000;
export const ISSUER = 'https://kubernetes.default.svc';

export function ecKey(namedCurve = 'P-256'): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}

export function rsaKey(modulusLength = 2048): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength });
  return privateKey.export({ type: 'pkcs1', format: 'pem' }) as string;
}

export function newKeys(...otherKeys: string[]): KeySet {
  return serviceAccountKeys({ signingKey: ecKey(), otherKeys });
}

/** The existing objects, by kind; tests modify the lists. */
export interface Cluster extends LiveObjects {
  readonly accounts: AccountObject[];
  readonly secrets: SecretObject[];
  readonly pods: PodObject[];
  readonly nodes: BoundObject[];
  /** The number of reads. */
  lookups: number;
}

export function newCluster(): Cluster {
  const accounts: AccountObject[] = [{ metadata: { namespace: 'ns1', name: 'bot', uid: 'sa-1' } }];
  const secrets: SecretObject[] = [
    { metadata: { namespace: 'ns1', name: 'bot-secret', uid: 'secret-1' } },
  ];
  const pods: PodObject[] = [
    {
      metadata: { namespace: 'ns1', name: 'web', uid: 'pod-1' },
      spec: { serviceAccountName: 'bot', nodeName: 'n1' },
    },
  ];
  const nodes: BoundObject[] = [{ metadata: { name: 'n1', uid: 'node-1' } }];
  const cluster: Cluster = {
    accounts,
    secrets,
    pods,
    nodes,
    lookups: 0,
    serviceAccount: (namespace, name) => find(accounts, name, namespace),
    secret: (namespace, name) => find(secrets, name, namespace),
    pod: (namespace, name) => find(pods, name, namespace),
    node: (name) => find(nodes, name),
  };
  function find<T extends BoundObject>(list: readonly T[], name: string, namespace?: string) {
    cluster.lookups += 1;
    return list.find(({ metadata }) => metadata.name === name && metadata.namespace === namespace);
  }
  return cluster;
}
