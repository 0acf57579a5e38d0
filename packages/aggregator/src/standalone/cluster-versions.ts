/** The groups of a cluster, among the groups that are served here. Pure. */
import { parseGroupVersion } from '@tributary/apimachinery';
import { customPriority, localPriority } from '../api-services/local-priorities.ts';
import { REGISTRATION_GROUP } from '../api-services/resources.ts';
import type { VersionResources } from '../discovery/aggregated-document.ts';
import type { OfferedVersion } from '../discovery/merge-groups.ts';

/** Smaller than any difference between priorities, which are whole numbers. */
const STEP = 0.001;

/**
 * In the order in which the cluster lists them, and among others where their priorities put them. A cluster does not say
 * the priorities of what is registered there: such a group comes where its neighbours are. APIServices are our own.
 */
export function clusterVersions(served: VersionResources): readonly OfferedVersion[] {
  const groups = byGroup(served);
  const known = groups.map(([group, [first]]) => localPriority(group, first?.version ?? ''));
  const offered: OfferedVersion[] = [];
  let before = Number.POSITIVE_INFINITY;
  for (const [index, [group, versions]] of groups.entries()) {
    const own = known[index]?.groupPriorityMinimum ?? 0;
    const isCustom = own === customPriority.groupPriorityMinimum;
    const later = Math.max(0, ...known.slice(index + 1).map((one) => one.groupPriorityMinimum));
    const wanted = isCustom && later > own ? later + STEP : own;
    before = Math.min(wanted, before - STEP);
    offered.push(...versionsOf(group, versions, before));
  }
  return offered;
}

interface Version {
  readonly version: string;
  readonly resources: readonly object[];
}

function byGroup(served: VersionResources): [group: string, versions: Version[]][] {
  const groups = new Map<string, Version[]>();
  for (const [groupVersion, resources] of served) {
    const { group = '', version = '' } = parseGroupVersion(groupVersion) ?? {};
    if (group === '' || group === REGISTRATION_GROUP) continue;
    const versions = groups.get(group) ?? [];
    groups.set(group, versions);
    versions.push({ version, resources });
  }
  return [...groups];
}

function versionsOf(
  group: string,
  versions: readonly Version[],
  groupPriorityMinimum: number,
): OfferedVersion[] {
  let before = Number.POSITIVE_INFINITY;
  return versions.map(({ version, resources }) => {
    before = Math.min(localPriority(group, version).versionPriority, before - STEP);
    return {
      group,
      version,
      source: 'custom', // registered groups come first
      priority: { groupPriorityMinimum, versionPriority: before },
      resources: JSON.stringify(resources),
      // A cluster lists no resources of a server that it cannot reach; no server serves a version without resources.
      freshness: resources.length === 0 ? 'Stale' : 'Current',
    };
  });
}
