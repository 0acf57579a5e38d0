import type { Revision, Storage } from '@tributary/storage';
import type { VersionConverter } from '../conversion/version-converter.ts';
import type { ApiDefinition } from '../definition/api.ts';
import type { ComputedBacking } from '../definition/backing.ts';
import type { ResourceDefinition } from '../definition/resource.ts';
import { knownKinds } from '../registry/known-kinds.ts';
import { type NamespaceGuard, storedNamespaces } from '../registry/namespace-guard.ts';
import { systemIdentity } from '../registry/object-metadata.ts';
import { ReadableResources } from '../registry/reads.ts';
import { servedOwnership } from '../registry/served-ownership.ts';
import type { Strategy } from '../registry/strategy.ts';
import { computedVerbs } from '../verbs/computed.ts';
import type { CachedResource, WatchCache } from '../watch-cache/types.ts';
import { openWatchCaches, type WatchCaches } from '../watch-cache/watch-caches.ts';
import type { DescribeDependencies, NamespaceSource } from './described-resource.ts';
import {
  cachedResource,
  clientVersions,
  type Described,
  describe,
  onlyServed,
  servedVersion,
} from './described-resource.ts';
import { type RouteEntry, RouteTable } from './route-table.ts';
import { storedRoutes } from './stored-routes.ts';

export interface ServedResources {
  readonly routes: RouteTable;
  /**
   * Adds a resource to the running server. A resource with the same prefix in the store loses its cache; `cacheOf`,
   * which must be stored in the same way, hands its cache over.
   */
  add(group: string, definition: ResourceDefinition, cacheOf?: AddedResource): AddedResource;
  /** Ends the watches of kinds with stores of their own, and closes those stores. */
  close(): Promise<void>;
}

/** A resource that was added to a running server. */
export interface AddedResource {
  readonly definition: ResourceDefinition;
  readonly shape: CachedResource;
  readonly cache: WatchCache;
  /** Removes the routes; the cache stays. */
  unroute(): void;
  /** Ends watches and empties the cache, unless another resource has taken the prefix over. */
  dropCache(): void;
}

/**
 * All resources of the APIs, in each of their versions, ready to be routed. `apisNow` returns the APIs served at the
 * moment, which include added ones.
 */
export function serveResources(
  apis: readonly ApiDefinition[],
  apisNow: () => readonly ApiDefinition[],
  dependencies: DescribeDependencies,
): ServedResources {
  const resources = new ReadableResources();
  const routes = new RouteTable();
  const opened: OpenHome[] = [];
  const closing = new AbortController();
  const others = knownKinds(apisNow, dependencies.otherKinds);
  const about = { others, closing: closing.signal };
  const all = apis.flatMap((api) =>
    api.resources.map((definition) =>
      describe(api.group, definition, {
        ...about,
        errorKeyPrefix: api.errorKeyPrefix,
        ...(api.reportsErrorsOnce && { reportsErrorsOnce: api.reportsErrorsOnce }),
      }),
    ),
  );
  const homes = new Map<ResourceDefinition, PreviousResource>();
  for (const described of all) {
    const { definition, strategy } = described;
    if (definition.backing?.kind === 'computed' || definition.storedAs) continue;
    const home = openStorage(definition, strategy, dependencies);
    opened.push(home);
    const shownBy = all.filter((other) => other.definition.storedAs?.resource === definition);
    const shape = cachedResource(described, shownBy);
    const cache = home.caches.cache(shape);
    resources.add(definition, cache, storageConverter(described));
    homes.set(definition, { strategy, shape, cache, storage: home.storage });
  }
  const guard = guardOf(dependencies.namespaces, homes);
  for (const described of all) {
    const { definition } = described;
    if (definition.backing?.kind === 'computed') {
      routes.add(computedRoutes(described, definition.backing, resources, dependencies));
      continue;
    }
    const base = homes.get(definition.storedAs?.resource ?? definition);
    if (base === undefined)
      throw new Error(`${definition.kind}: the resource that stores its objects is not served`);
    const strategy = strategyOver(base.strategy, described.strategy);
    routes.add(
      storedRoutes({ ...described, strategy }, { ...dependencies, ...base, resources, guard }),
    );
  }
  return {
    routes,
    add: (group, definition, cacheOf) => {
      if (definition.backing !== undefined || definition.storedAs !== undefined) {
        throw new Error(`${definition.kind}: what comes later lives in the store of the server`);
      }
      const { storage, caches } = dependencies;
      const described = describe(group, definition, about);
      const shape = cacheOf?.shape ?? cachedResource(described, []);
      requireSamePlace(described, shape);
      const cache = caches.cache(shape);
      const entries = storedRoutes(described, {
        ...dependencies,
        ...{ storage, cache, shape, resources, guard },
      });
      resources.add(definition, cache, storageConverter(described));
      routes.add(entries);
      return {
        definition,
        shape,
        cache,
        unroute: () => {
          routes.remove(entries);
          resources.remove(definition);
        },
        dropCache: () => caches.remove(shape),
      };
    },
    close: async () => {
      closing.abort();
      await Promise.all(opened.map((home) => home.close()));
    },
  };
}

function storageConverter({ definition, converters }: Described): VersionConverter | undefined {
  return definition.versions.size > 1 ? converters?.of(definition.storageVersion) : undefined;
}

function requireSamePlace({ strategy }: Described, { prefix, head }: CachedResource): void {
  if (strategy.prefix === prefix && Buffer.compare(strategy.form.head, head) === 0) return;
  throw new Error(`${strategy.prefix}: a cache cannot be taken over by what lies elsewhere`);
}

/** The store and cache of a resource. */
interface PreviousResource {
  readonly strategy: Strategy;
  readonly shape: CachedResource;
  readonly cache: WatchCache;
  readonly storage: Storage;
}

/** A resource over another one's objects has errors in its own name, and the other's storage strategy. */
function strategyOver(stored: Strategy, own: Strategy): Strategy {
  return stored === own ? own : { ...stored, resource: own.resource };
}

function guardOf(
  source: NamespaceSource | undefined,
  homes: ReadonlyMap<ResourceDefinition, PreviousResource>,
): NamespaceGuard | undefined {
  if (source === undefined || 'requireOpen' in source) return source;
  const home = homes.get(source);
  if (home === undefined)
    throw new Error(`${source.kind}: namespaces must be stored by this server`);
  const { cache, storage, strategy } = home;
  const { prefix, form } = strategy;
  return storedNamespaces(cache, { storage, prefix, decode: form.decode });
}

interface OpenHome {
  readonly storage: Storage;
  readonly caches: WatchCaches;
  close(): Promise<void>;
}

/** The server's store, unless the resource has one of its own. */
function openStorage(
  { backing }: ResourceDefinition,
  { prefix, namespaced, form }: Strategy,
  { storage, caches, clock }: DescribeDependencies,
): OpenHome {
  if (backing?.kind !== 'storage') return { storage, caches, close: async () => {} };
  const own = backing.open({
    prefix,
    namespaced,
    clock,
    encode: (object) => form.encode(object),
    decode: (stored, revision) => form.decode(stored, revision),
  });
  const ownCaches = openWatchCaches(own, { clock });
  return {
    storage: own,
    caches: ownCaches,
    close: async () => {
      await ownCaches.close();
      await own.close();
    },
  };
}

function computedRoutes(
  described: Described,
  home: ComputedBacking,
  resources: ReadableResources,
  dependencies: DescribeDependencies,
): RouteEntry[] {
  const { definition, group, strategy, views } = described;
  const { storage, identity = systemIdentity } = dependencies;
  const revision = (signal: AbortSignal): Promise<Revision> => storage.currentRevision({ signal });
  return clientVersions(definition).map(([version, defined]) => {
    const served = servedVersion(described, [version, defined], dependencies);
    const of = { subresource: '', nowMs: identity.nowMs };
    const ownership = servedOwnership(served, views, of);
    const parts = { form: strategy.form, resources, revision, ownership };
    const verbs = onlyServed(definition, computedVerbs(served, home, parts));
    const routes = { served, verbs, subresources: new Map() };
    return { group, version, resource: definition.plural, routes: () => routes };
  });
}
