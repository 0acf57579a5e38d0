import type { KubeObject } from '@tributary/apimachinery';

/** Manifests in one document, as `kubectl create -f -` takes it. */
export interface ManifestList {
  readonly apiVersion: 'v1';
  readonly kind: 'List';
  readonly items: readonly KubeObject[];
}

/** What others need comes first: an object is created when everything it names is there. */
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

/** The same objects are always the same document, so that a difference in it is a difference. */
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
