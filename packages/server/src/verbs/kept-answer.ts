import type { Output } from '../representation/output.ts';
import { ownBytes } from '../representation/own-bytes.ts';
import type { ServedResource, StoredResource } from '../representation/served-resource.ts';
import { lengthOf } from '../request/chunks.ts';
import type { ApiRequest, ApiResponse } from '../request/pipeline.ts';
import type { CachedObject, Freshness } from '../watch-cache/types.ts';

/** The response to a target that is read again and again, with what it depends on. */
interface KeptParts {
  readonly served: StoredResource;
  readonly accept: string;
  readonly userAgent: string | undefined;
  /** The key of the object, and its state. */
  readonly path: string;
  readonly object: CachedObject;
  readonly response: ApiResponse;
}

class KeptAnswer {
  readonly parts: KeptParts;

  constructor(parts: KeptParts) {
    this.parts = parts;
  }
}

/** Larger ones cost more to send than to find. With the number of known targets this bounds what is kept. */
const KEPT_BYTES_MAX = 4096;
const LATEST: Freshness = { kind: 'latest' };

/** The same answer again, when it is asked for in the same words and its object is still the same. */
export function keptAnswer(
  { info, headers }: ApiRequest,
  served: ServedResource,
): ApiResponse | undefined {
  const kept = info.kept?.answer;
  if (!(kept instanceof KeptAnswer)) return undefined;
  const { served: keptFor, accept, userAgent, path, object, response } = kept.parts;
  if (keptFor !== served || accept !== headers.joined('accept')) return undefined;
  if (userAgent !== headers.get('user-agent')) return undefined;
  return keptFor.cache.getNow(path, LATEST) === object ? response : undefined;
}

/** Keeps a plain answer from the cache for next time, unless something must be said or asked each time. */
export function keepAnswer(
  { info, headers }: ApiRequest,
  served: StoredResource,
  { output, path, object }: { output: Output; path: string; object: CachedObject },
  response: ApiResponse,
): ApiResponse {
  if (info.kept === undefined || response.kind !== 'bytes') return response;
  const isPlain = response.sharedAs !== undefined && output.transform === undefined;
  const isAlike = served.lens === undefined && served.version.deprecated === undefined;
  if (!isPlain || !isAlike || served.definition.gate !== undefined) return response;
  if (lengthOf(response.chunks) > KEPT_BYTES_MAX) return response;
  const whole = { ...response, chunks: [ownBytes(response.chunks)] };
  const accept = headers.joined('accept');
  const userAgent = headers.get('user-agent');
  info.kept.answer = new KeptAnswer({ served, accept, userAgent, path, object, response: whole });
  return whole;
}
