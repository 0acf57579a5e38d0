import type { ResourceRoutes } from '../representation/served-resource.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { WatchCache } from '../watch-cache/types.ts';

export type ResourcePlace = Pick<RequestInfo, 'group' | 'version' | 'resource'>;

/** One resource in one version, and its path. */
export interface RouteEntry {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Called with the first request: hundreds of resources may be served and never used. */
  readonly routes: () => ResourceRoutes;
  /** The cache of its objects; absent for computed resources. */
  readonly cache?: WatchCache;
  /** Drops what others cache for this entry once it is no longer served. */
  readonly release?: () => void;
}

type ByResource = Map<string, RouteEntry>;

/** Everything served, by group, version and name, so that a request needs no composed key. */
export class RouteTable {
  readonly #groups = new Map<string, Map<string, ByResource>>();

  hasGroup(group: string): boolean {
    return this.#groups.has(group);
  }

  find({ group, version, resource }: ResourcePlace): ResourceRoutes | undefined {
    return this.#groups.get(group)?.get(version)?.get(resource)?.routes();
  }

  /** Creates nothing: a watched resource needs no routes. */
  cacheOf({ group, version, resource }: ResourcePlace): WatchCache | undefined {
    return this.#groups.get(group)?.get(version)?.get(resource)?.cache;
  }

  add(entries: Iterable<RouteEntry>): void {
    for (const entry of entries) {
      const versions = this.#groups.get(entry.group) ?? new Map<string, ByResource>();
      const resources = versions.get(entry.version) ?? new Map<string, RouteEntry>();
      resources.set(entry.resource, entry);
      this.#groups.set(entry.group, versions.set(entry.version, resources));
    }
  }

  /** An entry that replaced the removed one stays. */
  remove(entries: Iterable<RouteEntry>): void {
    for (const entry of entries) {
      entry.release?.();
      const versions = this.#groups.get(entry.group);
      const resources = versions?.get(entry.version);
      if (versions === undefined || resources?.get(entry.resource) !== entry) continue;
      resources.delete(entry.resource);
      if (resources.size === 0) versions.delete(entry.version);
      if (versions.size === 0) this.#groups.delete(entry.group);
    }
  }
}
