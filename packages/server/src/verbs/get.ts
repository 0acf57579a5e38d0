import { notFound, parseGetOptions, parseResourceVersion } from '@tributary/apimachinery';
import type { Revision } from '@tributary/storage';
import { liftedOne } from '../conversion/convert-objects.ts';
import { answerObject } from '../representation/answer-object.ts';
import { negotiateOutput } from '../representation/output.ts';
import type { StoredResource } from '../representation/served-resource.ts';
import type { Answer, ApiRequest } from '../request/pipeline.ts';
import { type CachedObject, type Freshness, WAIT } from '../watch-cache/types.ts';
import { keepAnswer } from './kept-answer.ts';
import { objectPath } from './object-path.ts';

/** GET of one object: its bytes, as they lie in the cache. */
export function get(request: ApiRequest, served: StoredResource): Answer {
  const { info, query, cancellation } = request;
  const output = negotiateOutput(request);
  const freshness = freshnessOf(parseGetOptions(query).resourceVersion);
  const path = objectPath(info, served);
  const answer = (object: CachedObject | undefined): Answer => {
    if (object === undefined) throw notFound(served.resource, info.name);
    const shown = liftedOne(served, object, cancellation);
    if (!(shown instanceof Promise)) {
      const response = answerObject(request, served, output, 200, shown);
      return keepAnswer(request, served, { output, path, object }, response);
    }
    return shown.then((one) => answerObject(request, served, output, 200, one));
  };
  const object = served.cache.getNow(path, freshness);
  if (object !== WAIT) return answer(object);
  return served.cache.get(path, freshness, cancellation).then(answer);
}

function freshnessOf(resourceVersion: string): Freshness {
  if (resourceVersion === '') return { kind: 'latest' };
  const revision = parseResourceVersion(resourceVersion) as Revision;
  return revision === 0 ? { kind: 'any' } : { kind: 'notOlderThan', revision };
}
