/** The discovery documents of `meta/v1`: one list of groups, one document per group and per version. */
import { formatGroupVersion, type GroupVersionKind } from '@tributary/apimachinery';
import type { ApiDefinition } from '../definition/api.ts';
import type { ResourceDefinition } from '../definition/resource.ts';
import {
  compareText,
  type ServedSubresource,
  type ServedVersion,
} from '../definition/served-versions.ts';
import { storageVersionHash } from './storage-version-hash.ts';

export interface GroupVersionForDiscovery {
  readonly groupVersion: string;
  readonly version: string;
}

export interface ServerAddressByClientCIDR {
  readonly clientCIDR: string;
  readonly serverAddress: string;
}

export interface APIGroup {
  readonly name: string;
  readonly versions: readonly GroupVersionForDiscovery[];
  readonly preferredVersion: GroupVersionForDiscovery;
  readonly serverAddressByClientCIDRs?: readonly ServerAddressByClientCIDR[];
}

export interface APIResource {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  /** Group and version are there only when they differ from those of the list. */
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
}

/** `/api`; as upstream, the lists of versions and of groups carry no `apiVersion`. */
export function apiVersions(core: ApiDefinition, serverAddress: string | undefined): object {
  return { kind: 'APIVersions', versions: core.versions, ...addresses(serverAddress) };
}

/** `/apis`, with the groups as they were given. */
export function apiGroupList(
  apis: readonly ApiDefinition[],
  serverAddress: string | undefined,
  { isAggregator = false }: { readonly isAggregator?: boolean } = {},
): object {
  // Upstream's two handlers of this path differ: an aggregator has a version and no addresses.
  if (isAggregator) return { kind: 'APIGroupList', apiVersion: 'v1', groups: apis.map(groupOf) };
  return {
    kind: 'APIGroupList',
    groups: apis.map((api) => ({ ...groupOf(api), ...addresses(serverAddress) })),
  };
}

/** `/apis/G` */
export function apiGroup(api: ApiDefinition): object {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupOf(api) };
}

/** `/apis/G/V`; the one of the core group has no `apiVersion`. */
export function apiResourceList(
  { group }: ApiDefinition,
  version: string,
  served: readonly ServedVersion[],
): object {
  return {
    kind: 'APIResourceList',
    ...(group !== '' && { apiVersion: 'v1' }),
    groupVersion: formatGroupVersion({ group, version }),
    resources: inOrder(
      served,
      served.flatMap((entry) => [
        mainResource(entry),
        ...entry.subresources.map((subresource) => subresourceOf(entry, subresource)),
      ]),
    ),
  };
}

/** By name; those of custom resources have an order of their own. */
function inOrder<Entry extends { readonly name: string }>(
  served: readonly ServedVersion[],
  entries: readonly Entry[],
): readonly Entry[] {
  if (served.some(({ resource }) => resource.discoveryVerbs !== undefined)) return entries;
  return entries.toSorted((a, b) => compareText(a.name, b.name));
}

function groupOf({ group, versions }: ApiDefinition): APIGroup {
  const entries = versions.map((version) => ({
    groupVersion: formatGroupVersion({ group, version }),
    version,
  }));
  const [preferredVersion] = entries;
  if (preferredVersion === undefined) throw new Error(`${group}: the group has no version`);
  return { name: group, versions: entries, preferredVersion };
}

function addresses(
  serverAddress: string | undefined,
): Pick<APIGroup, 'serverAddressByClientCIDRs'> {
  if (serverAddress === undefined) return {};
  return { serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }] };
}

function mainResource({ resource, kind, verbs }: ServedVersion): APIResource {
  const { plural, singular, scope, shortNames, categories, storageVersion, backing } = resource;
  const stored = backing?.kind !== 'computed';
  return {
    name: plural,
    singularName: singular,
    namespaced: scope === 'Namespaced',
    kind: kind.kind,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(stored && {
      storageVersionHash: storageVersionHash(
        storedKind({ ...kind, version: storageVersion }, resource),
      ),
    }),
  };
}

/** The stored kind of a resource that serves another resource's objects. */
function storedKind(own: GroupVersionKind, { storedAs }: ResourceDefinition): GroupVersionKind {
  if (storedAs === undefined) return own;
  const { group, resource } = storedAs;
  return { group, version: resource.storageVersion, kind: resource.kind };
}

function subresourceOf({ resource, kind }: ServedVersion, sub: ServedSubresource): APIResource {
  const foreign = sub.kind.group !== kind.group || sub.kind.version !== kind.version;
  return {
    name: `${resource.plural}/${sub.name}`,
    singularName: '',
    namespaced: resource.scope === 'Namespaced',
    ...(foreign && { group: sub.kind.group, version: sub.kind.version }),
    kind: sub.kind.kind,
    verbs: sub.verbs,
  };
}
