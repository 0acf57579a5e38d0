/** The kinds that own and are owned in these tests, on three servers. */

export interface TestKind {
  readonly kind: string;
  readonly apiVersion: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Other spellings of the version that references may have. */
  readonly otherVersions?: readonly string[];
  /** The required content of its objects beside their metadata. */
  readonly content?: object;
}

export const coreKinds: readonly TestKind[] = [
  { kind: 'ConfigMap', apiVersion: 'v1', plural: 'configmaps', namespaced: true },
  { kind: 'Secret', apiVersion: 'v1', plural: 'secrets', namespaced: true },
  {
    kind: 'Role',
    apiVersion: 'rbac.authorization.k8s.io/v1',
    plural: 'roles',
    namespaced: true,
    content: { rules: [] },
  },
  {
    kind: 'ClusterRole',
    apiVersion: 'rbac.authorization.k8s.io/v1',
    plural: 'clusterroles',
    namespaced: false,
    content: { rules: [] },
  },
];

export const wardleKinds: readonly TestKind[] = [
  {
    kind: 'Flunder',
    apiVersion: 'wardle.example.com/v1alpha1',
    plural: 'flunders',
    namespaced: true,
    otherVersions: ['wardle.example.com/v1beta1'],
    content: { spec: {} },
  },
  {
    kind: 'Fischer',
    apiVersion: 'wardle.example.com/v1alpha1',
    plural: 'fischers',
    namespaced: false,
    content: { disallowedFlunders: [] },
  },
];

export const gadgetKinds: readonly TestKind[] = [
  {
    kind: 'Gadget',
    apiVersion: 'gadgets.example.com/v1',
    plural: 'gadgets',
    namespaced: true,
    content: { spec: {} },
  },
];

/** Defined by a CustomResourceDefinition, and so without strategic patches. */
export const customKinds: readonly TestKind[] = [
  {
    kind: 'Gizmo',
    apiVersion: 'gizmos.example.com/v1',
    plural: 'gizmos',
    namespaced: true,
    content: { spec: {} },
  },
];

export function collectionPath(
  { apiVersion, plural, namespaced }: TestKind,
  namespace: string,
): string {
  const root = apiVersion.includes('/') ? '/apis' : '/api';
  const place = namespaced && namespace !== '' ? `/namespaces/${namespace}` : '';
  return `${root}/${apiVersion}${place}/${plural}`;
}
