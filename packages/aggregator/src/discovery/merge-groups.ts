/** Merges group versions of all sources into ordered lists. Pure. */
import { compareKubeVersions } from '@tributary/apimachinery';
import type { Priority } from '../api-services/local-priorities.ts';
import { REGISTRATION_GROUP } from '../api-services/resources.ts';

/** The lowest wins where several offer one group version. */
export type Source = 'remote' | 'built-in' | 'custom';

export interface OfferedVersion {
  readonly group: string;
  readonly version: string;
  readonly source: Source;
  readonly priority: Priority;
  /** Its resources as JSON; undefined: registered as local but not served. */
  readonly resources: string | undefined;
  readonly freshness: 'Current' | 'Stale';
}

export interface ListedGroup {
  readonly name: string;
  /** At least one, the preferred one first. */
  readonly versions: readonly OfferedVersion[];
}

export interface ListedGroups {
  /** For the list of groups in `meta/v1`. */
  readonly legacy: readonly ListedGroup[];
  /** For `apidiscovery.k8s.io`, without versions that are not served. */
  readonly aggregated: readonly ListedGroup[];
}

/** The priority of the APIServices' group, which comes first: one more than the maximum of an APIService. */
const REGISTRATION_PRIORITY = 20_001;

const RANK: Readonly<Record<Source, number>> = { remote: 0, 'built-in': 1, custom: 2 };

/** The core group has a path of its own, and is in neither list. */
export function mergeGroups(offered: readonly OfferedVersion[]): ListedGroups {
  const visible = onePerVersion(offered.filter(({ group }) => group !== ''));
  const served = visible.filter(({ resources }) => resources !== undefined);
  return {
    legacy: byGroup([...visible].sort(compareAsRegistrations)),
    aggregated: byGroup(served).sort(compareGroups),
  };
}

function onePerVersion(offered: readonly OfferedVersion[]): OfferedVersion[] {
  const winners = new Map<string, OfferedVersion>();
  for (const one of offered) {
    const key = `${one.group}/${one.version}`;
    const other = winners.get(key);
    if (other === undefined || RANK[one.source] < RANK[other.source]) winners.set(key, one);
  }
  return [...winners.values()];
}

/** A group stands at the place of its first version. */
function byGroup(versions: readonly OfferedVersion[]): ListedGroup[] {
  const groups = new Map<string, OfferedVersion[]>();
  for (const one of versions) {
    const known = groups.get(one.group);
    if (known === undefined) groups.set(one.group, [one]);
    else known.push(one);
  }
  return [...groups].map(([name, members]) => ({ name, versions: members.sort(compareVersions) }));
}

function compareVersions(a: OfferedVersion, b: OfferedVersion): number {
  const order = b.priority.versionPriority - a.priority.versionPriority;
  return order || compareKubeVersions(a.version, b.version);
}

/** Upstream's list breaks ties by the name of the APIService, which begins with the version … */
function compareAsRegistrations(a: OfferedVersion, b: OfferedVersion): number {
  return (
    groupPriority(b) - groupPriority(a) ||
    compareText(`${a.version}.${a.group}`, `${b.version}.${b.group}`)
  );
}

/** … and its aggregated document by the name of the group. */
function compareGroups(a: ListedGroup, b: ListedGroup): number {
  return highest(b) - highest(a) || compareText(a.name, b.name);
}

function highest({ versions }: ListedGroup): number {
  return versions.reduce((max, one) => Math.max(max, groupPriority(one)), 0);
}

function groupPriority({ group, priority }: OfferedVersion): number {
  return group === REGISTRATION_GROUP ? REGISTRATION_PRIORITY : priority.groupPriorityMinimum;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
