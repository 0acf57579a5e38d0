import type { GroupVersionKind } from '@tributary/apimachinery';
import type { ApiDefinition } from '../api.ts';
import type { ResourceDefinition } from '../resource.ts';

/** What a server really does: discovery and OpenAPI claim this and nothing else. */
export interface Served {
  /** API verbs such as `get` and `deletecollection`; a version with none is not listed. */
  readonly servedVerbs: (resource: ResourceDefinition, version: string) => readonly string[];
  /** Default: none. */
  readonly servedSubresources?: (
    resource: ResourceDefinition,
    version: string,
  ) => readonly ServedSubresource[];
}

export interface ServedSubresource {
  /** The last segment of its path: `status`, `scale`. */
  readonly name: string;
  /** What it answers with; `status` answers with the resource's own kind. */
  readonly kind: GroupVersionKind;
  readonly verbs: readonly string[];
}

/** One resource in one version, as its entries in discovery and OpenAPI need it. */
export interface ServedVersion {
  readonly resource: ResourceDefinition;
  readonly kind: GroupVersionKind;
  readonly verbs: readonly string[];
  readonly subresources: readonly ServedSubresource[];
}

/** What one group version serves, by resource name. */
export function servedVersions(
  served: Served,
  { group, resources }: ApiDefinition,
  version: string,
): ServedVersion[] {
  return resources
    .filter((resource) => resource.versions.has(version))
    .map((resource) => ({
      resource,
      kind: { group, version, kind: resource.kind },
      verbs: sorted(served.servedVerbs(resource, version)),
      subresources: subresourcesOf(served, resource, version),
    }))
    .filter(({ verbs }) => verbs.length > 0)
    .sort((a, b) => compareText(a.resource.plural, b.resource.plural));
}

/** Where a group version lies: the core group has a prefix of its own. */
export function groupVersionPath({ group }: ApiDefinition, version: string): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function subresourcesOf(
  served: Served,
  resource: ResourceDefinition,
  version: string,
): ServedSubresource[] {
  const subresources = served.servedSubresources?.(resource, version) ?? [];
  return subresources
    .map((subresource) => ({ ...subresource, verbs: sorted(subresource.verbs) }))
    .filter(({ verbs }) => verbs.length > 0)
    .sort((a, b) => compareText(a.name, b.name));
}

function sorted(verbs: readonly string[]): string[] {
  return [...new Set(verbs)].sort(compareText);
}
