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
import type { ComputedContext, ComputedHome } from '../definition/home.ts';
import type { ResourceVerb } from '../definition/resource.ts';
import type { FieldOwnership } from '../registry/field-ownership.ts';
import type { ReadableResources } from '../registry/reads.ts';
import { answerList } from '../representation/answer-list.ts';
import { answerObject } from '../representation/answer-object.ts';
import { negotiateOutput } from '../representation/output.ts';
import type { Endpoint, ServedResource } from '../representation/served-resource.ts';
import { nothingAcceptable } from '../request/negotiation.ts';
import type { ApiRequest } from '../request/pipeline.ts';
import type { Readable } from '../watch-cache/types.ts';
import { objectPath } from './object-path.ts';
import { selectsObject } from './selection.ts';
import { managerOf } from './write-context.ts';

/** What computed kinds need of the server. */
export interface ComputedSurroundings {
  readonly form: StoredForm;
  readonly resources: ReadableResources;
  /** A computed list is as new as the store. */
  readonly revision: (signal: AbortSignal) => Promise<Revision>;
  /** A question is answered with who asked it. */
  readonly ownership: FieldOwnership;
}

/** The verbs of a kind that is nowhere and made when asked for. */
export function computedVerbs(
  served: ServedResource,
  home: ComputedHome,
  { form, resources, revision, ownership }: ComputedSurroundings,
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
      return answerObject(request, served, output, 200, readable(object));
    });
  }
  if (list !== undefined) {
    verbs.set('list', async (request) => {
      const output = negotiateOutput(request);
      const selects = selectsObject(parseListOptions(request.query), served);
      const objects = await list(contextOf(request, false));
      return answerList(request, served, output, {
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
      // What is never listed is no row of a Table either.
      const isListed = served.version.schema.typed?.list !== undefined;
      if (served.version.schema.typed && !isListed && output.transform) throw nothingAcceptable();
      served.decode.requireType(request);
      const body = await request.body();
      const { dryRun, fieldManager, fieldValidation } = parseCreateOptions(request.query);
      const read = served.decode.forCreate(body, request, fieldValidation);
      const sent = read instanceof Promise ? await read : read;
      const manager = managerOf(request, fieldManager);
      const owned = await ownership.track(undefined, served.view.toStorage(sent), manager);
      const answer = await create(owned, contextOf(request, dryRun));
      // Something was done, of which there is nothing to show.
      if (answer.kind === 'Status') return { kind: 'object', code: 201, object: answer };
      return answerObject(request, served, output, 201, readable(answer));
    });
  }
  return verbs;
}
