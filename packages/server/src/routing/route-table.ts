import type { ResourceRoutes } from '../representation/served-resource.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { WatchCache } from '../watch-cache/types.ts';

export type ResourcePlace = Pick<RequestInfo, 'group' | 'version' | 'resource'>;

/** One resource in one version, and where it is found. */
export interface RouteEntry {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Asked when something is first asked of it: hundreds may be served that nobody asks for. */
  readonly routes: () => ResourceRoutes;
  /** Where its objects are; absent when they are not kept. */
  readonly cache?: WatchCache;
  /** Nobody will ask again: lets go of what is kept elsewhere for its sake. */
  readonly release?: () => void;
}

type ByResource = Map<string, RouteEntry>;

/** Everything that is served, by group, version and name, so that no key must be put together for a request. */
export class RouteTable {
  readonly #groups = new Map<string, Map<string, ByResource>>();

  hasGroup(group: string): boolean {
    return this.#groups.has(group);
  }

  find({ group, version, resource }: ResourcePlace): ResourceRoutes | undefined {
    return this.#groups.get(group)?.get(version)?.get(resource)?.routes();
  }

  /** Makes nothing: what is only followed needs no routes. */
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

  /** What has taken the place of an entry stays. */
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
