import type { AddedResource, ServedResources } from '../serve-resources.ts';
import type { LiveApis } from './live-apis.ts';
import type { LiveResource, LiveResources } from './live-resources.ts';

interface Served {
  readonly resource: LiveResource;
  readonly added: AddedResource;
}

/**
 * Resources that come and go. A change takes effect within one turn of the event loop: requests find either what was
 * there before or what is there now, and those under way keep what they found. As upstream, whatever changes in a
 * definition ends its watches, since clients may have to see other objects; they come back and find everything that has
 * happened meanwhile. `gone` is told when a resource is served no longer.
 */
export function serveLive(
  apis: LiveApis,
  served: ServedResources,
  gone: (group: string, resource: string) => void,
): LiveResources {
  const byId = new Map<string, Served>();
  const listeners = new Set<() => void>();
  const tellAll = () => {
    for (const listener of listeners) listener();
  };
  const takeAway = ({ resource, added }: Served) => {
    apis.remove(resource.group, resource.definition);
    added.unroute();
  };
  const dropAll = ({ resource, added }: Served) => {
    added.dropCache();
    gone(resource.group, resource.definition.plural);
  };
  return {
    serve: (id, resource) => {
      const before = byId.get(id);
      const { group, definition, endsWatches = true } = resource;
      const isSameGroup = before?.resource.group === group;
      apis.requireFree(group, definition, isSameGroup ? before.resource.definition : undefined);
      const added = served.add(group, definition, endsWatches ? undefined : before?.added);
      if (before !== undefined) takeAway(before);
      apis.add(group, definition);
      byId.set(id, { resource, added });
      // It may have been somewhere else in the store.
      if (before !== undefined && before.added.shape.prefix !== added.shape.prefix) dropAll(before);
      tellAll();
    },
    stop: (id) => {
      const before = byId.get(id);
      if (before === undefined) return;
      byId.delete(id);
      takeAway(before);
      dropAll(before);
      tellAll();
    },
    apis: () => apis.all(),
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
