import type { ApiDefinition } from '@tributary/server';
import { AGGREGATION_GROUP, REGISTRATION_GROUP } from './resources.ts';

/** The position of a group version in discovery: the higher, the earlier. */
export interface Priority {
  readonly groupPriorityMinimum: number;
  readonly versionPriority: number;
}

/** A group version that this process serves itself. */
export interface LocalGroupVersion extends Priority {
  readonly group: string;
  readonly version: string;
}

type PriorityTable = Readonly<
  Record<string, { readonly group: number; readonly versions: Readonly<Record<string, number>> }>
>;

/** kube-apiserver's priorities of built-in groups, including groups that this server does not serve. */
const upstream: PriorityTable = {
  '': { group: 18_000, versions: { v1: 1 } },
  apps: { group: 17_800, versions: { v1: 15 } },
  'events.k8s.io': { group: 17_750, versions: { v1: 15, v1beta1: 5 } },
  'authentication.k8s.io': { group: 17_700, versions: { v1: 15, v1beta1: 9, v1alpha1: 1 } },
  'authorization.k8s.io': { group: 17_600, versions: { v1: 15 } },
  autoscaling: { group: 17_500, versions: { v2: 30, v1: 15, v2beta1: 9, v2beta2: 1 } },
  batch: { group: 17_400, versions: { v1: 15, v1beta1: 9, v2alpha1: 9 } },
  'certificates.k8s.io': { group: 17_300, versions: { v1: 15, v1beta1: 9, v1alpha1: 1 } },
  'networking.k8s.io': { group: 17_200, versions: { v1: 15, v1beta1: 9 } },
  policy: { group: 17_100, versions: { v1: 15, v1beta1: 9 } },
  'rbac.authorization.k8s.io': { group: 17_000, versions: { v1: 15 } },
  'storage.k8s.io': { group: 16_800, versions: { v1: 15, v1beta1: 9, v1alpha1: 1 } },
  'apiextensions.k8s.io': { group: 16_700, versions: { v1: 15 } },
  'admissionregistration.k8s.io': {
    group: 16_700,
    versions: { v1: 15, v1beta1: 12, v1alpha1: 9 },
  },
  'scheduling.k8s.io': { group: 16_600, versions: { v1: 15, v1alpha2: 2 } },
  'coordination.k8s.io': { group: 16_500, versions: { v1: 15, v1beta1: 13, v1alpha2: 12 } },
  'node.k8s.io': { group: 16_300, versions: { v1: 15, v1beta1: 9, v1alpha1: 1 } },
  'discovery.k8s.io': { group: 16_200, versions: { v1: 15, v1beta1: 12 } },
  'resource.k8s.io': {
    group: 16_200,
    versions: { v1: 21, v1beta2: 15, v1beta1: 9, v1alpha3: 1 },
  },
  'flowcontrol.apiserver.k8s.io': {
    group: 16_100,
    versions: { v1: 21, v1beta3: 18, v1beta2: 15, v1beta1: 12, v1alpha1: 9 },
  },
  'internal.apiserver.k8s.io': { group: 16_000, versions: { v1alpha1: 9 } },
  'storagemigration.k8s.io': { group: 15_800, versions: { v1beta1: 9 } },
};

/**
 * Upstream's priority of custom resources; also of groups that upstream does not have, so that none precedes
 * upstream's.
 */
export const customPriority: Priority = { groupPriorityMinimum: 1_000, versionPriority: 100 };

const ours: PriorityTable = { [AGGREGATION_GROUP]: { group: 1_000, versions: { v1: 100 } } };

const table: PriorityTable = { ...upstream, ...ours };

export function localPriority(group: string, version: string): Priority {
  const found = Object.hasOwn(table, group) ? table[group] : undefined;
  if (found === undefined) return customPriority;
  const own = Object.hasOwn(found.versions, version) ? found.versions[version] : undefined;
  // A version that upstream does not have comes last in its group.
  return { groupPriorityMinimum: found.group, versionPriority: own ?? 1 };
}

/** Group versions of custom resources: served in addition to the built-in ones. */
export function customVersions(
  apis: readonly ApiDefinition[],
  builtIn: readonly LocalGroupVersion[],
): LocalGroupVersion[] {
  const own = new Set(builtIn.map(({ group, version }) => `${group}/${version}`));
  return apis
    .filter(({ group }) => group !== REGISTRATION_GROUP)
    .flatMap(({ group, versions }) =>
      versions.map((version) => ({ group, version, ...customPriority })),
    )
    .filter(({ group, version }) => !own.has(`${group}/${version}`));
}

/**
 * The group versions to register for local APIs. Excludes the group of APIServices, which upstream does not register
 * and lists first.
 */
export function localPriorities(apis: readonly ApiDefinition[]): LocalGroupVersion[] {
  return apis
    .filter(({ group }) => group !== REGISTRATION_GROUP)
    .flatMap(({ group, versions }) =>
      versions.map((version) => ({ group, version, ...localPriority(group, version) })),
    );
}
