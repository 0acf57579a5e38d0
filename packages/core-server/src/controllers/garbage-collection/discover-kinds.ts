import { formatGroupVersion, parseGroupVersion, parseJson } from '@tributary/apimachinery';
import type { Client, ResourceType } from '@tributary/client';

/** A resource whose objects can own and be owned. */
export interface KindResource extends ResourceType {
  readonly kind: string;
}

/** The discovered resources of all servers. */
export interface DiscoveredKinds {
  /** Watched resources, in the preferred version of their group. */
  readonly watched: readonly KindResource[];
  /** The resource of a kind in a version, watched or not. */
  resourceOf(apiVersion: string, kind: string): KindResource | undefined;
}

export interface GroupDocument {
  readonly metadata?: { readonly name?: string };
  readonly versions?: readonly {
    readonly version: string;
    readonly resources?: readonly ResourceDocument[];
  }[];
}

interface ResourceDocument {
  readonly resource: string;
  readonly scope: string;
  readonly verbs: readonly string[];
  readonly responseKind?: {
    readonly group?: string;
    readonly version?: string;
    readonly kind?: string;
  };
}

const ACCEPT =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';
const WATCHED_VERBS = ['delete', 'list', 'watch'];

const PATHS = ['/api', '/apis'];

/** Reads discovery documents. */
interface KindDiscovery {
  /** Undefined when the documents have not changed since the last call. */
  discover(signal: AbortSignal): Promise<DiscoveredKinds | undefined>;
}

export function kindDiscovery({ transport }: Client): KindDiscovery {
  const documents = new Map<
    string,
    { tag: string | undefined; groups: readonly GroupDocument[] }
  >();
  const look = async (path: string, signal: AbortSignal): Promise<boolean> => {
    const known = documents.get(path);
    const { status, headers, body } = await transport.request('GET', path, {
      headers: { accept: ACCEPT, ...(known?.tag !== undefined && { 'if-none-match': known.tag }) },
      anyStatus: true,
      signal,
    });
    if (status === 304) return false;
    if (status !== 200) throw new Error(`discovery of ${path} returned ${status}`);
    const { items = [] } = parseJson(body) as { readonly items?: readonly GroupDocument[] };
    documents.set(path, { tag: headers.etag, groups: items });
    return true;
  };
  return {
    async discover(signal) {
      const changed = await Promise.all(PATHS.map((path) => look(path, signal)));
      if (!changed.includes(true)) return undefined;
      return kindsOf(PATHS.flatMap((path) => documents.get(path)?.groups ?? []));
    },
  };
}

export function kindsOf(groups: readonly GroupDocument[]): DiscoveredKinds {
  const watched: KindResource[] = [];
  const byKind = new Map<string, KindResource>();
  for (const { metadata, versions = [] } of groups) {
    const group = metadata?.name ?? '';
    const seen = new Set<string>();
    for (const { version, resources = [] } of versions) {
      for (const document of resources) {
        const resource = kindResource({ group, version }, document);
        if (resource === undefined) continue;
        const key = kindKey(formatGroupVersion(resource), resource.kind);
        if (!byKind.has(key)) byKind.set(key, resource);
        // The first version with a resource is the preferred one.
        if (seen.has(resource.plural)) continue;
        seen.add(resource.plural);
        if (isWatched(resource, document)) watched.push(resource);
      }
    }
  }
  return { watched, resourceOf: (apiVersion, kind) => byKind.get(kindKey(apiVersion, kind)) };
}

function kindResource(
  { group, version }: { readonly group: string; readonly version: string },
  { resource, scope, responseKind }: ResourceDocument,
): KindResource | undefined {
  const { kind = '' } = responseKind ?? {};
  if (kind === '') return undefined;
  return { group, version, plural: resource, namespaced: scope === 'Namespaced', kind };
}

/** Events are never watched: there are many, they own nothing, and they expire. */
function isWatched({ group, plural }: KindResource, { verbs }: ResourceDocument): boolean {
  const isEvents = plural === 'events' && (group === '' || group === 'events.k8s.io');
  return !isEvents && WATCHED_VERBS.every((verb) => verbs.includes(verb));
}

function kindKey(apiVersion: string, kind: string): string {
  // Normalizes `/v1` to `v1`.
  const parsed = parseGroupVersion(apiVersion);
  return `${parsed === undefined ? apiVersion : formatGroupVersion(parsed)} ${kind}`;
}
