import {
  cloneJson,
  formatGroupVersion,
  type KubeObject,
  notFound,
  successStatus,
} from '@tributary/apimachinery';
import { liftedOne } from '../conversion/convert-objects.ts';
import type { ActionSubresource } from '../definition/subresource.ts';
import type { ReadableResources } from '../registry/reads.ts';
import type { ResourceStore } from '../registry/resource-store.ts';
import { negotiateOutput } from '../representation/output.ts';
import type { Endpoint, StoredResource } from '../representation/served-resource.ts';
import type { ApiResponse } from '../request/pipeline.ts';
import type { ActionBody } from './action-body.ts';
import { objectName, objectPath } from './object-path.ts';
import { writeContext } from './write-context.ts';

export interface ActionSurroundings {
  readonly resources: ReadableResources;
  readonly read: ActionBody;
  /** Where the action writes. */
  readonly store: ResourceStore;
}

/** POST to an object: something is done with it. */
export function actionEndpoint(
  served: StoredResource,
  { run, writesAsIs = false }: ActionSubresource,
  { resources, read, store }: ActionSurroundings,
): Endpoint {
  return async (request) => {
    const path = objectPath(request.info, served);
    negotiateOutput(request);
    const { body, dryRun, manager } = await read(request);
    const { signal } = request.cancellation;
    const found = await served.cache.get(path, { kind: 'latest' }, { signal });
    if (found === undefined) throw notFound(served.resource, request.info.name);
    const answer = await run({
      object: (await liftedOne(served, found, { signal })).object(),
      body,
      user: request.user,
      dryRun,
      signal,
      read: resources.reader(signal),
      warn: (text) => request.warnings.add(text),
      annotate: (key, value) => request.context?.audit?.annotate(key, value),
      update: async (change, { dryRun: tried = dryRun, uid } = {}) => {
        const name = objectName(request.info, served);
        const changed = (live: KubeObject) => {
          const next = change(cloneJson(live) as KubeObject);
          if (writesAsIs) return next;
          served.requireValid(next);
          return served.ownership.track(live, next, manager);
        };
        const context = writeContext(request, tried, uid === undefined ? undefined : { uid });
        return (await store.update(name, changed, context)).object();
      },
      remove: async ({ preconditions, dryRun: tried = dryRun, ...wish } = {}) => {
        const name = objectName(request.info, served);
        await served.store.delete(name, wish, writeContext(request, tried, preconditions));
      },
    });
    return created(answer, served);
  };
}

function created(answer: object | undefined, served: StoredResource): ApiResponse {
  if (answer === undefined) {
    return { kind: 'object', code: 201, object: { ...successStatus({}), code: 201 } };
  }
  // The object itself is answered in the words of the version that was asked.
  const object = isStored(answer, served) ? served.view.fromStorage(answer) : answer;
  return { kind: 'object', code: 201, object };
}

function isStored(answer: object, { kind, definition }: StoredResource): answer is KubeObject {
  const { apiVersion, kind: answered } = answer as Partial<KubeObject>;
  const stored = formatGroupVersion({ group: kind.group, version: definition.storageVersion });
  return answered === kind.kind && apiVersion === stored;
}
