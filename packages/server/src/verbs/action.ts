import {
  cloneJson,
  formatGroupVersion,
  type KubeObject,
  notFound,
  successStatus,
} from '@tributary/apimachinery';
import { convertItem } from '../conversion/convert-objects.ts';
import type { ActionSubresource } from '../definition/subresource.ts';
import type { ReadableResources } from '../registry/reads.ts';
import type { ResourceStore } from '../registry/resource-store.ts';
import { negotiateOutput } from '../representation/output.ts';
import type { Endpoint, StoredResource } from '../representation/served-resource.ts';
import type { ApiResponse } from '../request/pipeline.ts';
import type { ActionBody } from './action-body.ts';
import { objectName, objectPath } from './object-path.ts';
import { writeContext } from './write-context.ts';

interface ActionDependencies {
  readonly resources: ReadableResources;
  readonly read: ActionBody;
  /** The store that the action writes to. */
  readonly store: ResourceStore;
}

/** POST to an action of an object. */
export function actionEndpoint(
  served: StoredResource,
  { run, writesAsIs = false }: ActionSubresource,
  { resources, read, store }: ActionDependencies,
): Endpoint {
  return async (request) => {
    const path = objectPath(request.info, served);
    negotiateOutput(request);
    const { body, dryRun, manager } = await read(request);
    const { signal } = request.cancellation;
    const found = await served.cache.get(path, { kind: 'latest' }, { signal });
    if (found === undefined) throw notFound(served.resource, request.info.name);
    const result = await run({
      object: (await convertItem(served, found, { signal })).object(),
      body,
      user: request.user,
      dryRun,
      signal,
      read: resources.reader(signal),
      warn: (text) => request.warnings.add(text),
      annotate: (key, value) => request.context?.audit?.annotate(key, value),
      update: async (change, { dryRun: tried = dryRun, uid } = {}) => {
        const name = objectName(request.info, served);
        const changed = async (live: KubeObject) => {
          const next = change(cloneJson(live) as KubeObject);
          if (writesAsIs) return next;
          served.requireValid(next);
          return served.ownership.track(live, next, manager);
        };
        const context = writeContext(request, tried, uid === undefined ? undefined : { uid });
        return (await store.update(name, changed, context)).object();
      },
      remove: async ({ preconditions, dryRun: tried = dryRun, ...deletion } = {}) => {
        const name = objectName(request.info, served);
        await served.store.delete(name, deletion, writeContext(request, tried, preconditions));
      },
    });
    return created(result, served);
  };
}

function created(result: object | undefined, served: StoredResource): ApiResponse {
  if (result === undefined) {
    return { kind: 'object', code: 201, object: { ...successStatus({}), code: 201 } };
  }
  // The object itself is returned in the version of the request.
  const object = isStored(result, served) ? served.view.fromStorage(result) : result;
  return { kind: 'object', code: 201, object };
}

function isStored(result: object, { kind, definition }: StoredResource): result is KubeObject {
  const { apiVersion, kind: resultKind } = result as Partial<KubeObject>;
  const stored = formatGroupVersion({ group: kind.group, version: definition.storageVersion });
  return resultKind === kind.kind && apiVersion === stored;
}
