import {
  type KubeObject,
  notFound,
  parseCreateOptions,
  parseGetOptions,
  parseListOptions,
} from '@tributary/apimachinery';
import type { Revision } from '@tributary/storage';
import { readableOf } from '../conversion/readable.ts';
import type { StoredForm } from '../conversion/stored-form.ts';
import type { ComputedBacking, ComputedContext } from '../definition/backing.ts';
import type { ResourceVerb } from '../definition/resource.ts';
import type { FieldOwnership } from '../registry/field-ownership.ts';
import type { ReadableResources } from '../registry/reads.ts';
import { listResponse } from '../representation/list-response.ts';
import { objectResponse } from '../representation/object-response.ts';
import { negotiateOutput } from '../representation/output.ts';
import type { Endpoint, ServedResource } from '../representation/served-resource.ts';
import { noAcceptableType } from '../request/negotiation.ts';
import type { ApiRequest } from '../request/pipeline.ts';
import type { Readable } from '../watch-cache/types.ts';
import { objectPath } from './object-path.ts';
import { selectsObject } from './selection.ts';
import { managerOf } from './write-context.ts';

/** Dependencies of computed kinds. */
interface ComputedDependencies {
  readonly form: StoredForm;
  readonly resources: ReadableResources;
  /** A computed list has the store's current revision. */
  readonly revision: (signal: AbortSignal) => Promise<Revision>;
  /** Review kinds record the manager that created them. */
  readonly ownership: FieldOwnership;
}

/** The verbs of a kind without storage, whose objects are computed per request. */
export function computedVerbs(
  served: ServedResource,
  home: ComputedBacking,
  { form, resources, revision, ownership }: ComputedDependencies,
): Map<ResourceVerb, Endpoint> {
  const contextOf = (request: ApiRequest, dryRun: boolean): ComputedContext => ({
    namespace: served.namespaced ? request.info.namespace : '',
    user: request.user,
    dryRun,
    signal: request.cancellation.signal,
    read: resources.reader(request.cancellation.signal),
  });
  const readable = (object: KubeObject): Readable => readableOf(form.encode(object), () => object);
  const verbs = new Map<ResourceVerb, Endpoint>();
  const { get, list, create } = home;
  if (get !== undefined) {
    verbs.set('get', async (request) => {
      const output = negotiateOutput(request);
      parseGetOptions(request.query);
      objectPath(request.info, served);
      const object = await get(request.info.name, contextOf(request, false));
      if (object === undefined) throw notFound(served.resource, request.info.name);
      return objectResponse(request, served, output, 200, readable(object));
    });
  }
  if (list !== undefined) {
    verbs.set('list', async (request) => {
      const output = negotiateOutput(request);
      const selects = selectsObject(parseListOptions(request.query), served);
      const objects = await list(contextOf(request, false));
      return listResponse(request, served, output, {
        revision: home.isUnversioned ? undefined : await revision(request.cancellation.signal),
        items: objects.filter(selects).map(readable),
        continue: undefined,
        remaining: undefined,
      });
    });
  }
  if (create !== undefined) {
    verbs.set('create', async (request) => {
      const output = negotiateOutput(request);
      // A kind without a list type has no Table either.
      const isListed = served.version.schema.typed?.list !== undefined;
      if (served.version.schema.typed && !isListed && output.transform) throw noAcceptableType();
      served.decode.requireType(request);
      const body = await request.body();
      const { dryRun, fieldManager, fieldValidation } = parseCreateOptions(request.query);
      const sent = await served.decode.forCreate(body, request, fieldValidation);
      const manager = managerOf(request, fieldManager);
      const owned = await ownership.track(undefined, served.view.toStorage(sent), manager);
      const result = await create(owned, contextOf(request, dryRun));
      // The request succeeded and returns no object.
      if (result.kind === 'Status') return { kind: 'object', code: 201, object: result };
      return objectResponse(request, served, output, 201, readable(result));
    });
  }
  return verbs;
}
