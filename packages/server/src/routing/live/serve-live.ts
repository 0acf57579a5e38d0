import type { AddedResource, ServedResources } from '../serve-resources.ts';
import type { LiveApis } from './live-apis.ts';
import type { LiveResource, LiveResources } from './live-resources.ts';

interface Served {
  readonly resource: LiveResource;
  readonly added: AddedResource;
}

/**
 * Resources added to and removed from a running server. A change takes effect within one turn of the event loop: a
 * request finds either the old or the new definition, and requests under way keep what they found. As in upstream, a
 * changed definition ends its watches, because clients may have to see other objects; they resume and miss nothing.
 * `onRemoved` is called when a resource is no longer served.
 */
export function serveLive(
  apis: LiveApis,
  served: ServedResources,
  onRemoved: (group: string, resource: string) => void,
): LiveResources {
  const byId = new Map<string, Served>();
  const listeners = new Set<() => void>();
  const notifyAll = () => {
    for (const listener of listeners) listener();
  };
  const takeAway = ({ resource, added }: Served) => {
    apis.remove(resource.group, resource.definition);
    added.unroute();
  };
  const dropAll = ({ resource, added }: Served) => {
    added.dropCache();
    onRemoved(resource.group, resource.definition.plural);
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
      // The prefix in the store may have changed.
      if (before !== undefined && before.added.shape.prefix !== added.shape.prefix) dropAll(before);
      notifyAll();
    },
    stop: (id) => {
      const before = byId.get(id);
      if (before === undefined) return;
      byId.delete(id);
      takeAway(before);
      dropAll(before);
      notifyAll();
    },
    apis: () => apis.all(),
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
