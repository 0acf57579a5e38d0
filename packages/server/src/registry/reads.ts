import { convertItem, convertItems } from '../conversion/convert-objects.ts';
import type { VersionConverter } from '../conversion/version-converter.ts';
import type { Read, ReadResource, ResourceReader } from '../definition/reads.ts';
import type { ResourceDefinition } from '../definition/resource.ts';
import type { WatchCache } from '../watch-cache/types.ts';

/** The caches of a server's resources, by their definitions. */
export class ReadableResources {
  readonly #caches = new Map<
    ReadResource<unknown>,
    { cache: WatchCache; converter: VersionConverter | undefined }
  >();

  /** `converter` converts to the storage version, if objects are stored in several. */
  add(resource: ResourceDefinition, cache: WatchCache, converter?: VersionConverter): void {
    this.#caches.set(resource, { cache, converter });
  }

  remove(resource: ResourceDefinition): void {
    this.#caches.delete(resource);
  }

  /** Reads that see every earlier acknowledged write, until the signal fires. */
  reader(signal: AbortSignal): Read {
    return <Object>(resource: ReadResource<Object>): ResourceReader<Object> => {
      const source = this.#caches.get(resource);
      if (source === undefined) throw new Error(`${resource.kind} is not stored by this server`);
      const { cache } = source;
      return {
        get: async (name, namespace) => {
          const path = namespace === undefined ? name : `${namespace}/${name}`;
          const found = await cache.get(path, { kind: 'latest' }, { signal });
          return found && ((await convertItem(source, found, { signal })).object() as Object);
        },
        list: async (namespace) => {
          const path = namespace === undefined ? '' : `${namespace}/`;
          const freshness = { kind: 'latest' } as const;
          const { items } = await cache.list({ path, freshness, signal });
          const shown = await convertItems(source, items, { signal });
          return shown.map((item) => item.object() as Object);
        },
      };
    };
  }
}
