import {
  type KubeObject,
  notFound,
  parseCreateOptions,
  parseGetOptions,
  parseListOptions,
} from '@tributary/apimachinery';
import type { Revision } from '@tributary/storage';
import type { ComputedContext, ComputedHome } from '../definition/home.ts';
import type { ApiRequest } from '../pipeline.ts';
import type { ReadableResources } from '../registry/reads.ts';
import type { StoredForm } from '../registry/stored-form.ts';
import { answerList } from '../representation/answer-list.ts';
import { answerObject } from '../representation/answer-object.ts';
import { negotiateOutput } from '../representation/output.ts';
import { readableOf } from '../representation/readable.ts';
import type { ResourceVerb } from '../resource.ts';
import type { Endpoint, ServedResource } from '../served-resource.ts';
import type { Readable } from '../watch-cache/types.ts';
import { objectPath } from './object-path.ts';
import { selectsObject } from './selection.ts';

/** What computed kinds need of the server. */
export interface ComputedSurroundings {
  readonly form: StoredForm;
  readonly resources: ReadableResources;
  /** A computed list is as new as the store. */
  readonly revision: (signal: AbortSignal) => Promise<Revision>;
}

/** The verbs of a kind that is nowhere and made when asked for. */
export function computedVerbs(
  served: ServedResource,
  home: ComputedHome,
  { form, resources, revision }: ComputedSurroundings,
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
      const output = negotiateOutput(request, 'object');
      parseGetOptions(request.query);
      objectPath(request.info, served);
      const object = await get(request.info.name, contextOf(request, false));
      if (object === undefined) throw notFound(served.resource, request.info.name);
      return answerObject(request, served, output, 200, readable(object));
    });
  }
  if (list !== undefined) {
    verbs.set('list', async (request) => {
      const output = negotiateOutput(request, 'list');
      const selects = selectsObject(parseListOptions(request.query), served);
      const objects = await list(contextOf(request, false));
      return answerList(request, served, output, {
        revision: await revision(request.cancellation.signal),
        items: objects.filter(selects).map(readable),
        continue: undefined,
        remaining: undefined,
      });
    });
  }
  if (create !== undefined) {
    verbs.set('create', async (request) => {
      const output = negotiateOutput(request, 'object');
      served.decode.requireType(request);
      const body = await request.body();
      const { dryRun, fieldValidation } = parseCreateOptions(request.query);
      const sent = served.decode.forCreate(body, request, fieldValidation);
      const answer = await create(served.view.toStorage(sent), contextOf(request, dryRun));
      return answerObject(request, served, output, 201, readable(answer));
    });
  }
  return verbs;
}
