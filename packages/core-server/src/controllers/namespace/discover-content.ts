import { formatGroupVersion, type GroupVersion, parseJson } from '@tributary/apimachinery';
import type { Client } from '@tributary/client';
import type { NamespacedResource } from '@tributary/client/controller';

interface NamespacedContent {
  /** Resources of this server, in the preferred version of their group. */
  readonly resources: readonly NamespacedResource[];
  /** Resources of other servers by group version; without those never discovered. */
  readonly remote: ReadonlyMap<string, readonly NamespacedResource[]>;
  /** Group versions of this server whose discovery failed. */
  readonly undiscovered: ReadonlyMap<string, string>;
}

export interface GroupDiscovery {
  readonly metadata?: { readonly name?: string };
  readonly versions?: readonly {
    readonly version: string;
    readonly freshness?: string;
    readonly resources?: readonly ServedResource[];
  }[];
}

interface ServedResource {
  readonly resource: string;
  readonly scope: string;
  readonly verbs: readonly string[];
}

const ACCEPT =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';

/** Discovers all resources that can be deleted in a namespace. */
export async function discoverContent(
  { transport }: Client,
  remote: { has(groupVersion: string): boolean },
  signal: AbortSignal,
): Promise<NamespacedContent> {
  const documents = await Promise.all(
    ['/api', '/apis'].map(async (path) => {
      const { body } = await transport.request('GET', path, {
        headers: { accept: ACCEPT },
        signal,
      });
      return parseJson(body) as { readonly items?: readonly GroupDiscovery[] };
    }),
  );
  const groups = documents.flatMap(({ items }) => items ?? []);
  return contentOf(groups, remote);
}

export function contentOf(
  groups: readonly GroupDiscovery[],
  remote: { has(groupVersion: string): boolean },
): NamespacedContent {
  const resources: NamespacedResource[] = [];
  const remotes = new Map<string, readonly NamespacedResource[]>();
  const undiscovered = new Map<string, string>();
  for (const { metadata, versions = [] } of groups) {
    const group = metadata?.name ?? '';
    const seen = new Set<string>();
    for (const { version, freshness, resources: served = [] } of versions) {
      const groupVersion = formatGroupVersion({ group, version });
      const deletable = served.filter(isDeletable).map(resourceOf({ group, version }));
      // Each version of another server may have its own objects. Its availability is known better from its APIService
      // than from documents.
      if (remote.has(groupVersion)) {
        if (freshness !== 'Stale' || served.length > 0) remotes.set(groupVersion, deletable);
        continue;
      }
      if (freshness === 'Stale') {
        undiscovered.set(groupVersion, `stale GroupVersion discovery: ${groupVersion}`);
      }
      resources.push(...deletable.filter(({ plural }) => !seen.has(plural)));
      for (const { plural } of deletable) seen.add(plural);
    }
  }
  return { resources, remote: remotes, undiscovered };
}

function isDeletable({ scope, verbs }: ServedResource): boolean {
  return scope === 'Namespaced' && verbs.includes('delete');
}

function resourceOf({ group, version }: GroupVersion) {
  return ({ resource, verbs }: ServedResource): NamespacedResource => ({
    group,
    version,
    plural: resource,
    namespaced: true,
    canDeleteCollection: verbs.includes('deletecollection'),
    canList: verbs.includes('list'),
  });
}
