/** The discovery documents of all groups, ready to serve. */
import { formatGroupVersion } from '@tributary/apimachinery';
import {
  type APIGroup,
  aggregatedPage,
  type DiscoveryPage,
  plainPage,
  representJson,
} from '@tributary/server/discovery';
import type { ListedGroup, ListedGroups, OfferedVersion } from './merge-groups.ts';

export interface DiscoveryPages {
  /** `/apis` */
  readonly root: DiscoveryPage;
  /** `/apis/G`, by group. */
  readonly groups: ReadonlyMap<string, DiscoveryPage>;
  /** The paths of groups and versions, for the index. */
  readonly paths: readonly string[];
}

export function discoveryPages({ legacy, aggregated }: ListedGroups): DiscoveryPages {
  const groups = legacy.map(groupOf);
  const list = { kind: 'APIGroupList', apiVersion: 'v1', groups };
  return {
    root: {
      ...plainPage(representJson(bytesOf(list))),
      aggregated: new Map([['v2', aggregatedPage(Buffer.from(aggregatedJson(aggregated)))]]),
    },
    groups: new Map(
      groups.map((group) => {
        const document = { kind: 'APIGroup', apiVersion: 'v1', ...group };
        return [group.name, plainPage(representJson(bytesOf(document)))];
      }),
    ),
    paths: legacy.flatMap(({ name, versions }) => [
      `/apis/${name}`,
      ...versions.map(({ version }) => `/apis/${name}/${version}`),
    ]),
  };
}

function groupOf({ name, versions }: ListedGroup): APIGroup {
  const entries = versions.map(({ group, version }) => ({
    groupVersion: formatGroupVersion({ group, version }),
    version,
  }));
  const [preferredVersion] = entries;
  if (preferredVersion === undefined) throw new Error(`${name}: a group without versions`);
  return { name, versions: entries, preferredVersion };
}

/** Joined from the JSON of each document, so a change of one costs little for the others. */
function aggregatedJson(groups: readonly ListedGroup[]): string {
  const items = groups.map(({ name, versions }) => {
    const metadata = JSON.stringify({ name });
    return `{"metadata":${metadata},"versions":[${versions.map(versionJson).join(',')}]}`;
  });
  const head = '"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","metadata":{}';
  return `{${head},"items":[${items.join(',')}]}`;
}

function versionJson({ version, resources = EMPTY, freshness }: OfferedVersion): string {
  const list = resources === EMPTY ? '' : `"resources":${resources},`;
  return `{"version":${JSON.stringify(version)},${list}"freshness":"${freshness}"}`;
}

const EMPTY = '[]';

function bytesOf(document: object): Uint8Array {
  return Buffer.from(JSON.stringify(document));
}
