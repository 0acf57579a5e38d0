import type { KubeObject } from '@tributary/apimachinery';

/** Manifests in one document, for `kubectl create -f -`. */
export interface ManifestList {
  readonly apiVersion: 'v1';
  readonly kind: 'List';
  readonly items: readonly KubeObject[];
}

/** Order of creation: an object comes after those that it refers to. */
const ORDER = [
  'Namespace',
  'NetworkPolicy',
  'ServiceAccount',
  'Secret',
  'ClusterRole',
  'ClusterRoleBinding',
  'RoleBinding',
  'Service',
  'Deployment',
  'APIService',
];

/** The same objects always give the same document, so that a diff of it is meaningful. */
export function manifestList(objects: readonly KubeObject[]): ManifestList {
  return { apiVersion: 'v1', kind: 'List', items: sorted(objects) };
}

export function sorted(objects: readonly KubeObject[]): KubeObject[] {
  return [...objects].sort(
    (a, b) => place(a) - place(b) || compareText(a.metadata.name, b.metadata.name),
  );
}

function place({ kind }: KubeObject): number {
  const index = ORDER.indexOf(kind);
  return index === -1 ? ORDER.length : index;
}

/** By code units: the same on every machine. */
function compareText(a = '', b = ''): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
