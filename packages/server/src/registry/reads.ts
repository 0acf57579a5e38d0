import type { Read, Reads } from '../definition/reads.ts';
import type { ResourceDefinition } from '../resource.ts';
import type { WatchCache } from '../watch-cache/types.ts';

/** The caches of a server's resources, by their definitions; filled while the server is assembled. */
export class ReadableResources {
  readonly #caches = new Map<ResourceDefinition, WatchCache>();

  add(resource: ResourceDefinition, cache: WatchCache): void {
    this.#caches.set(resource, cache);
  }

  /** Reads that see everything acknowledged before, until the signal fires. */
  reader(signal: AbortSignal): Read {
    return <Object>(resource: ResourceDefinition<Object>): Reads<Object> => {
      const cache = this.#caches.get(resource);
      if (cache === undefined) throw new Error(`${resource.kind} is not kept by this server`);
      return {
        get: async (name, namespace) => {
          const path = namespace === undefined ? name : `${namespace}/${name}`;
          const found = await cache.get(path, { kind: 'latest' }, { signal });
          return found?.object() as Object | undefined;
        },
        list: async (namespace) => {
          const path = namespace === undefined ? '' : `${namespace}/`;
          const freshness = { kind: 'latest' } as const;
          const { items } = await cache.list({ path, freshness, signal });
          return items.map((item) => item.object() as Object);
        },
      };
    };
  }
}
