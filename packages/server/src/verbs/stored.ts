import { type ResourceVerb, subresourcesIn } from '../definition/resource.ts';
import type { PartSubresource, PartVerb } from '../definition/subresource.ts';
import type { KnownKinds } from '../registry/known-kinds.ts';
import type { ReadableResources } from '../registry/reads.ts';
import type {
  Endpoint,
  StoredResource,
  SubresourceRoutes,
} from '../representation/served-resource.ts';
import { actionEndpoint } from './action.ts';
import { actionBody } from './action-body.ts';
import { connectEndpoint } from './connect.ts';
import { create } from './create.ts';
import { deleteOne } from './delete.ts';
import { deleteCollection } from './delete-collection.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { patch } from './patch.ts';
import { scaleMethods } from './scale.ts';
import { patchStatus, type StatusPart, updateStatus } from './status.ts';
import { update } from './update.ts';
import { type WatchSettings, watch } from './watch.ts';

/** All endpoints of a stored kind. */
export function storedVerbs(
  served: StoredResource,
  settings: WatchSettings,
): Map<ResourceVerb, Endpoint> {
  return new Map<ResourceVerb, Endpoint>([
    ['get', (request) => get(request, served)],
    ['list', (request) => list(request, served)],
    ['watch', (request) => watch(request, served, settings)],
    ['create', (request) => create(request, served)],
    ['update', (request) => update(request, served)],
    ['patch', (request) => patch(request, served)],
    ['delete', (request) => deleteOne(request, served)],
    ['deletecollection', (request) => deleteCollection(request, served)],
  ]);
}

export function storedSubresources(
  served: StoredResource,
  {
    partOf,
    resources,
    nowMs,
    others,
  }: {
    partOf: (subresource: string) => StatusPart;
    resources: ReadableResources;
    nowMs: () => number;
    others: KnownKinds;
  },
): Map<string, SubresourceRoutes> {
  const { status, scale, custom } = subresourcesIn(served.definition, served.kind.version);
  const routes = new Map<string, SubresourceRoutes>();
  const ordinary = { subpath: false, longRunning: false, takesAnyBody: false };
  if (status) {
    const statusPart = partOf('status');
    const methods = new Map<string, Endpoint>([
      ['GET', (request) => get(request, served)],
      ['PUT', (request) => updateStatus(request, served, statusPart)],
      ['PATCH', (request) => patchStatus(request, served, statusPart)],
    ]);
    routes.set('status', { methods, ...ordinary });
  }
  if (scale) routes.set('scale', { methods: scaleMethods(served, scale, nowMs), ...ordinary });
  for (const [name, one] of custom) {
    if (one.type === 'part') {
      routes.set(name, { methods: partMethods({ ...served, ...partOf(name) }, one), ...ordinary });
    } else if (one.type === 'action') {
      const read = actionBody(served, name, one, { others, nowMs });
      const { store } = partOf(name);
      const methods = new Map([['POST', actionEndpoint(served, one, { resources, read, store })]]);
      routes.set(name, { methods, ...ordinary });
    } else {
      const endpoint = connectEndpoint(served, one, resources);
      const methods = new Map(one.methods.map((method) => [method, endpoint]));
      const { subpath, longRunning } = one;
      routes.set(name, { methods, subpath, longRunning, takesAnyBody: true });
    }
  }
  return routes;
}

/** The whole object is sent and returned; the part defines which fields it changes. */
function partMethods(
  served: StoredResource,
  { verbs }: PartSubresource,
): ReadonlyMap<string, Endpoint> {
  const possible: Readonly<Record<PartVerb, [method: string, endpoint: Endpoint]>> = {
    get: ['GET', (request) => get(request, served)],
    update: ['PUT', (request) => update(request, served)],
    patch: ['PATCH', (request) => patch(request, served)],
  };
  return new Map(verbs.map((verb) => possible[verb]));
}
