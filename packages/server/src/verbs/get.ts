import { notFound, parseGetOptions, parseResourceVersion } from '@tributary/apimachinery';
import type { Revision } from '@tributary/storage';
import { negotiate } from '../negotiation.ts';
import type { ApiRequest, ApiResponse } from '../pipeline.ts';
import type { ServedResource } from '../served-resource.ts';
import type { Freshness } from '../watch-cache/types.ts';
import { bytesResponse } from './bytes-response.ts';
import { objectPath } from './object-path.ts';

/** GET of one object: its bytes, as they lie in the cache. */
export async function get(request: ApiRequest, served: ServedResource): Promise<ApiResponse> {
  const { info, query, cancellation } = request;
  negotiate(request.headers.all('accept'));
  const freshness = freshnessOf(parseGetOptions(query).resourceVersion);
  const path = objectPath(info, served);
  const object = await served.cache.get(path, freshness, cancellation);
  if (object === undefined) throw notFound(served.resource, info.name);
  return bytesResponse(request, 200, [object.bytes]);
}

function freshnessOf(resourceVersion: string): Freshness {
  if (resourceVersion === '') return { kind: 'latest' };
  const revision = parseResourceVersion(resourceVersion) as Revision;
  return revision === 0 ? { kind: 'any' } : { kind: 'notOlderThan', revision };
}
