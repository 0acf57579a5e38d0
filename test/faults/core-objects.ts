/** The kinds that lie in the namespaces of a run. */
import type { NamespacedRef } from './namespace-history.ts';

export interface CoreKind {
  readonly plural: string;
  readonly root: string;
  /** All of an object but its metadata. */
  readonly content: object;
}

export const CORE_KINDS: readonly CoreKind[] = [
  { plural: 'configmaps', root: '/api/v1', content: { data: { text: 'x'.repeat(100) } } },
  { plural: 'secrets', root: '/api/v1', content: { stringData: { text: 'x'.repeat(100) } } },
  { plural: 'serviceaccounts', root: '/api/v1', content: {} },
  {
    plural: 'leases',
    root: '/apis/coordination.k8s.io/v1',
    content: { spec: { holderIdentity: 'a' } },
  },
  { plural: 'roles', root: '/apis/rbac.authorization.k8s.io/v1', content: { rules: [] } },
  {
    plural: 'endpointslices',
    root: '/apis/discovery.k8s.io/v1',
    content: { addressType: 'IPv4', endpoints: [], ports: [] },
  },
];

export const NAMESPACES_PATH = '/api/v1/namespaces';

export function collectionOf({ plural, root }: CoreKind, namespace?: string): string {
  return namespace === undefined
    ? `${root}/${plural}`
    : `${root}/namespaces/${namespace}/${plural}`;
}

export interface SeenObject extends NamespacedRef {
  readonly revision: number;
  readonly isDeleting: boolean;
  readonly isHeld: boolean;
}

/** Reads an object that a server sent; of one without a namespace, that is empty. */
export function readObject(plural: string, object: unknown): SeenObject {
  const { metadata } = object as {
    metadata: {
      name: string;
      namespace?: string;
      uid: string;
      resourceVersion: string;
      deletionTimestamp?: string;
      finalizers?: string[];
    };
  };
  return {
    plural,
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    uid: metadata.uid,
    revision: Number(metadata.resourceVersion),
    isDeleting: metadata.deletionTimestamp !== undefined,
    isHeld: (metadata.finalizers ?? []).length > 0,
  };
}
