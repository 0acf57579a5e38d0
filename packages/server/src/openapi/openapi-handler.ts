import { type Clock, systemClock } from '@tributary/storage';
import type { ApiDefinition } from '../definition/api.ts';
import type { ApiRequest, ApiResponse } from '../request/pipeline.ts';
import { liveDocuments } from './live-documents.ts';
import { type DocumentOptions, type DocumentsV3, documentsNow } from './local-documents.ts';
import { serveIndexV3, serveV2, serveV3 } from './published.ts';

export interface OpenApiOptions extends Omit<DocumentOptions, 'modifiedMs'> {
  readonly clock?: Pick<Clock, 'nowMs'>;
}

/**
 * Serves `/openapi/v2`, `/openapi/v3` and the documents below it, all built once. As upstream, the method is ignored.
 * Returns undefined for any other path.
 */
export function openApiHandler(
  apis: readonly ApiDefinition[],
  options: OpenApiOptions,
): (request: ApiRequest) => ApiResponse | undefined {
  const clock = options.clock ?? systemClock;
  const { v2, v3 } = documentsNow(apis, { ...options, modifiedMs: clock.nowMs() });
  return (request) => {
    if (request.path === '/openapi/v2') return serveV2(request, v2);
    return serveAnyV3(request, v3, clock);
  };
}

/** The same for the resources that are served now, with documents built on request. */
export function lazyOpenApiHandler(
  apis: readonly ApiDefinition[] | (() => readonly ApiDefinition[]),
  options: OpenApiOptions,
): (request: ApiRequest) => Promise<ApiResponse | undefined> | undefined {
  const clock = options.clock ?? systemClock;
  const now = typeof apis === 'function' ? apis : () => apis;
  const documents = liveDocuments(now, { ...options, clock });
  return (request) => {
    if (request.path === '/openapi/v2') {
      return documents.v2().then((document) => serveV2(request, document));
    }
    if (!request.path.startsWith('/openapi/v3')) return undefined;
    return documents.v3().then((made) => serveAnyV3(request, made, clock));
  };
}

function serveAnyV3(
  request: ApiRequest,
  { index, byKey }: DocumentsV3,
  clock: Pick<Clock, 'nowMs'>,
): ApiResponse | undefined {
  if (request.path === '/openapi/v3') return serveIndexV3(request, index);
  if (!request.path.startsWith('/openapi/v3/')) return undefined;
  const key = request.path.slice('/openapi/v3/'.length);
  const document = byKey.get(key);
  return document && serveV3(request, { key, document, nowMs: clock.nowMs() });
}
