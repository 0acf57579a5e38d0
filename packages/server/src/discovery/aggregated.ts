/** `apidiscovery.k8s.io`: all served resources in one document. */
import type { GroupVersionKind } from '@tributary/apimachinery';
import type { ApiDefinition } from '../definition/api.ts';
import { compareText, type ServedVersion, servedVersions } from '../definition/served-versions.ts';

/** Versions of the same document; client-go up to 1.29 knows only the beta. */
export type AggregatedVersion = 'v2' | 'v2beta1';

export interface APIResourceDiscovery {
  readonly resource: string;
  readonly responseKind: GroupVersionKind;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly singularResource: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly APISubresourceDiscovery[];
}

export interface APISubresourceDiscovery {
  readonly subresource: string;
  readonly responseKind: GroupVersionKind;
  readonly acceptedTypes?: readonly GroupVersionKind[];
  readonly verbs: readonly string[];
}

interface AggregatedHead {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: object;
  /** The groups of the items, in order. */
  readonly ordered: readonly ApiDefinition[];
}

/** The document of `version` for some of the served groups, without its items. */
export function apiGroupDiscoveryList(
  apis: readonly ApiDefinition[],
  version: AggregatedVersion,
  { isAggregator = false }: { readonly isAggregator?: boolean } = {},
): AggregatedHead {
  // An aggregator gets its groups in order.
  const ordered = isAggregator ? apis : [...apis].sort((a, b) => compareText(a.group, b.group));
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    ordered,
  };
}

export function groupDiscovery(api: ApiDefinition): object {
  return {
    metadata: api.group === '' ? {} : { name: api.group },
    versions: api.versions.map((version) => ({
      version,
      resources: resourcesDiscovery(api, version),
      freshness: 'Current',
    })),
  };
}

/** The entry of one group version in the aggregated document. */
export function resourcesDiscovery(api: ApiDefinition, version: string): APIResourceDiscovery[] {
  return servedVersions(api, version).map(resourceDiscovery);
}

function resourceDiscovery({
  resource,
  kind,
  verbs,
  subresources,
}: ServedVersion): APIResourceDiscovery {
  const { plural, singular, scope, shortNames, categories } = resource;
  return {
    resource: plural,
    responseKind: resource.custom ? kind : responseKind(kind, kind),
    scope,
    singularResource: singular,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && {
      subresources: subresources.map((subresource) => ({
        subresource: subresource.name,
        responseKind: resource.custom ? subresource.kind : responseKind(subresource.kind, kind),
        verbs: subresource.verbs,
      })),
    }),
  };
}

/** As upstream's library encodes it: group and version are omitted when they are those of the enclosing entry. */
function responseKind(
  { group, version, kind }: GroupVersionKind,
  around: GroupVersionKind,
): GroupVersionKind {
  const own = group === around.group && version === around.version;
  return own ? { group: '', version: '', kind } : { group, version, kind };
}
