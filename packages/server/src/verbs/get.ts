import { notFound, parseGetOptions, parseResourceVersion } from '@tributary/apimachinery';
import type { Revision } from '@tributary/storage';
import { convertItem } from '../conversion/convert-objects.ts';
import { objectResponse } from '../representation/object-response.ts';
import { negotiateOutput } from '../representation/output.ts';
import type { StoredResource } from '../representation/served-resource.ts';
import type { ApiRequest, HandlerResult } from '../request/pipeline.ts';
import { type CachedObject, type Freshness, WAIT } from '../watch-cache/types.ts';
import { cacheResponse } from './cached-response.ts';
import { objectPath } from './object-path.ts';

/** GET of one object: the bytes of the cache. */
export function get(request: ApiRequest, served: StoredResource): HandlerResult {
  const { info, query, cancellation } = request;
  const output = negotiateOutput(request);
  const freshness = freshnessOf(parseGetOptions(query).resourceVersion);
  const path = objectPath(info, served);
  const respond = (object: CachedObject | undefined): HandlerResult => {
    if (object === undefined) throw notFound(served.resource, info.name);
    const shown = convertItem(served, object, cancellation);
    if (!(shown instanceof Promise)) {
      const response = objectResponse(request, served, output, 200, shown);
      return cacheResponse(request, served, { output, path, object }, response);
    }
    return shown.then((one) => objectResponse(request, served, output, 200, one));
  };
  const object = served.cache.getNow(path, freshness);
  if (object !== WAIT) return respond(object);
  return served.cache.get(path, freshness, cancellation).then(respond);
}

function freshnessOf(resourceVersion: string): Freshness {
  if (resourceVersion === '') return { kind: 'latest' };
  const revision = parseResourceVersion(resourceVersion) as Revision;
  return revision === 0 ? { kind: 'any' } : { kind: 'notOlderThan', revision };
}
