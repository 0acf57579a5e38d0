import { parseJson } from '@tributary/apimachinery';
import type { Client, ResourceType } from '@tributary/client';

/** A resource whose objects may lie in namespaces. */
export interface NamespacedResource extends ResourceType {
  readonly canDeleteCollection: boolean;
  readonly canList: boolean;
}

export interface NamespacedContent {
  readonly resources: readonly NamespacedResource[];
  /** Group versions that nothing is known of at present. */
  readonly undiscovered: ReadonlyMap<string, string>;
}

interface GroupDiscovery {
  readonly metadata?: { readonly name?: string };
  readonly versions?: readonly {
    readonly version: string;
    readonly freshness?: string;
    readonly resources?: readonly {
      readonly resource: string;
      readonly scope: string;
      readonly verbs: readonly string[];
    }[];
  }[];
}

const ACCEPT =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';

/** Everything that can be deleted in a namespace, in the version that its group prefers. */
export async function discoverContent(
  { transport }: Client,
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
  const resources: NamespacedResource[] = [];
  const undiscovered = new Map<string, string>();
  for (const { metadata, versions = [] } of documents.flatMap(({ items }) => items ?? [])) {
    const group = metadata?.name ?? '';
    const seen = new Set<string>();
    for (const { version, freshness, resources: served = [] } of versions) {
      const groupVersion = group === '' ? version : `${group}/${version}`;
      if (freshness === 'Stale') {
        undiscovered.set(groupVersion, `stale GroupVersion discovery: ${groupVersion}`);
      }
      for (const { resource: plural, scope, verbs } of served) {
        if (scope !== 'Namespaced' || seen.has(plural) || !verbs.includes('delete')) continue;
        seen.add(plural);
        resources.push({
          group,
          version,
          plural,
          namespaced: true,
          canDeleteCollection: verbs.includes('deletecollection'),
          canList: verbs.includes('list'),
        });
      }
    }
  }
  return { resources, undiscovered };
}
