import { methodNotAllowed } from '@tributary/apimachinery';
import {
  negotiate,
  type ObjectMediaType,
  objectMediaTypes,
  parseAccept,
} from '../request/negotiation.ts';
import type { ApiRequest, ApiResponse } from '../request/pipeline.ts';
import { contentHash, entityTag } from './entity-tag.ts';
import { chosenBytes, type Representations, representJson } from './representation.ts';

/** The documents of one discovery path; only the two roots have an aggregated form. */
export interface DiscoveryPage {
  readonly legacy: () => Representations;
  /** By version of `apidiscovery.k8s.io`. */
  readonly aggregated: Pick<ReadonlyMap<string, AggregatedPage>, 'size' | 'get'>;
}

export interface AggregatedPage {
  readonly representations: Representations;
  readonly tag: string;
}

/** An aggregated document of compact JSON. */
export function aggregatedPage(json: Uint8Array): AggregatedPage {
  return { representations: representJson(json), tag: entityTag(contentHash(json)) };
}

/** A document with a legacy form only. */
export function plainPage(representations: Representations): DiscoveryPage {
  return { legacy: () => representations, aggregated: new Map() };
}

export function servePage(page: DiscoveryPage, request: ApiRequest): ApiResponse {
  if (request.method !== 'GET') throw methodNotAllowed();
  return aggregatedResponse(page, request) ?? legacyResponse(page, request);
}

/** A loop, because a regular expression looks at a long run of slashes once per slash. */
export function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** A clause for an aggregated document precedes all plain ones, whatever their order. */
function aggregatedResponse(
  { aggregated }: DiscoveryPage,
  request: ApiRequest,
): ApiResponse | undefined {
  if (aggregated.size === 0) return undefined;
  for (const { mediaType, parameters } of parseAccept(request.headers.joined('accept'))) {
    const type = offeredType(mediaType);
    const version = aggregatedVersion(parameters);
    const page = aggregated.get(version);
    if (type === undefined || page === undefined) continue;
    const headers = [
      ['ETag', page.tag],
      ['Vary', 'Accept'],
      ['Cache-Control', 'public'],
    ] as const;
    const contentType = `${type};g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
    // Upstream compares the whole header here: no lists, no weak tags, no wildcard.
    if (request.headers.get('if-none-match') === page.tag) {
      return { kind: 'bytes', code: 304, contentType, chunks: [], headers };
    }
    const chunks = [chosenBytes(page.representations, type, request)];
    return { kind: 'bytes', code: 200, contentType, chunks, headers };
  }
  return undefined;
}

function aggregatedVersion(parameters: ReadonlyMap<string, string>): string {
  const asked =
    parameters.get('g') === 'apidiscovery.k8s.io' &&
    parameters.get('as') === 'APIGroupDiscoveryList';
  return asked ? (parameters.get('v') ?? '') : '';
}

function offeredType(mediaType: string): ObjectMediaType | undefined {
  if (mediaType === '*/*' || mediaType === 'application/*') return objectMediaTypes[0];
  return objectMediaTypes.find((type) => type === mediaType);
}

function legacyResponse({ legacy }: DiscoveryPage, request: ApiRequest): ApiResponse {
  const contentType = negotiate(request.headers.joined('accept'));
  const chunks = [chosenBytes(legacy(), contentType, request)];
  return { kind: 'bytes', code: 200, contentType, chunks };
}
