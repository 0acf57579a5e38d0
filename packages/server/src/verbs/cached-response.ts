import type { Output } from '../representation/output.ts';
import { ownBytes } from '../representation/own-bytes.ts';
import type { ServedResource, StoredResource } from '../representation/served-resource.ts';
import { lengthOf } from '../request/chunks.ts';
import type { ApiRequest, ApiResponse } from '../request/pipeline.ts';
import type { CachedObject, Freshness } from '../watch-cache/types.ts';

/** The response to a repeated target, with what it depends on. */
interface CachedParts {
  readonly served: StoredResource;
  readonly accept: string;
  readonly userAgent: string | undefined;
  /** The key of the object, and its cached state. */
  readonly path: string;
  readonly object: CachedObject;
  readonly response: ApiResponse;
}

class CachedResponse {
  readonly parts: CachedParts;

  constructor(parts: CachedParts) {
    this.parts = parts;
  }
}

/**
 * Larger responses cost more to send than to look up. Together with the number of known targets this bounds the memory.
 */
const CACHED_BYTES_MAX = 4096;
const LATEST: Freshness = { kind: 'latest' };

/** The same response again, when target and headers are the same and the object has not changed. */
export function cachedResponse(
  { info, headers }: ApiRequest,
  served: ServedResource,
): ApiResponse | undefined {
  const cached = info.cached?.response;
  if (!(cached instanceof CachedResponse)) return undefined;
  const { served: cachedFor, accept, userAgent, path, object, response } = cached.parts;
  if (cachedFor !== served || accept !== headers.joined('accept')) return undefined;
  if (userAgent !== headers.get('user-agent')) return undefined;
  return cachedFor.cache.getNow(path, LATEST) === object ? response : undefined;
}

/** Caches a plain GET response, unless it has warnings or needs a check per request. */
export function cacheResponse(
  { info, headers }: ApiRequest,
  served: StoredResource,
  { output, path, object }: { output: Output; path: string; object: CachedObject },
  response: ApiResponse,
): ApiResponse {
  if (info.cached === undefined || response.kind !== 'bytes') return response;
  const isPlain = response.compressionKey !== undefined && output.transform === undefined;
  const isAlike = served.converter === undefined && served.version.deprecated === undefined;
  if (!isPlain || !isAlike || served.definition.gate !== undefined) return response;
  if (lengthOf(response.chunks) > CACHED_BYTES_MAX) return response;
  const whole = { ...response, chunks: [ownBytes(response.chunks)] };
  const accept = headers.joined('accept');
  const userAgent = headers.get('user-agent');
  info.cached.response = new CachedResponse({
    served,
    accept,
    userAgent,
    path,
    object,
    response: whole,
  });
  return whole;
}
