import { methodNotAllowed, noSuchResource, pageNotFound } from '@tributary/apimachinery';
import type { ApiRequest, ApiResponse, Handler } from './pipeline.ts';
import type { ServedResource } from './served-resource.ts';
import { create } from './verbs/create.ts';
import { deleteOne } from './verbs/delete.ts';
import { get } from './verbs/get.ts';
import { list } from './verbs/list.ts';
import { update } from './verbs/update.ts';
import { type WatchSettings, watch } from './verbs/watch.ts';

/** The verbs every resource has; discovery tells them to clients. */
export const servedVerbs: readonly string[] = [
  'create',
  'delete',
  'get',
  'list',
  'update',
  'watch',
];

/** Something that may answer a request, or leave it to the next. */
export type Route = (request: ApiRequest) => Promise<ApiResponse> | ApiResponse | undefined;

/** The first route that answers; 404 when none does. */
export function firstOf(routes: readonly Route[]): Handler {
  return async (request) => {
    for (const route of routes) {
      const response = await route(request);
      if (response !== undefined) return response;
    }
    throw pageNotFound();
  };
}

/** Resource requests of the groups and versions that are served here. */
export function resourceRoute(served: readonly ServedResource[], settings: WatchSettings): Route {
  const groupVersions = new Set(served.map(({ apiVersion }) => apiVersion));
  const byPath = new Map(served.map((one) => [`${one.apiVersion}/${one.resource.resource}`, one]));

  return (request) => {
    const { info } = request;
    if (!info.isResourceRequest || info.apiPrefix !== 'apis') return undefined;
    const groupVersion = `${info.group}/${info.version}`;
    if (!groupVersions.has(groupVersion)) return undefined;
    const resource = byPath.get(`${groupVersion}/${info.resource}`);
    if (resource === undefined || !isRoute(request, resource)) throw noSuchResource();
    warnOfDeprecation(request, resource);
    return dispatch(request, resource, settings);
  };
}

function warnOfDeprecation(
  { warnings }: ApiRequest,
  { apiVersion, kind, version }: ServedResource,
) {
  if (version.deprecated === undefined) return;
  const { since, unavailableIn, use } = version.deprecated;
  const gone = `${apiVersion} ${kind.kind} is deprecated in ${since}+, unavailable in ${unavailableIn}+`;
  warnings.add(use === undefined ? gone : `${gone}; use ${use}`);
}

/** Items of a namespaced resource exist only below a namespace, cluster-scoped ones never do. */
function isRoute({ info }: ApiRequest, { namespaced }: ServedResource): boolean {
  if (info.parts.length > 2) return false;
  if (!namespaced) return info.namespace === '';
  return info.parts.length === 1 || info.namespace !== '';
}

function dispatch(
  request: ApiRequest,
  served: ServedResource,
  settings: WatchSettings,
): Promise<ApiResponse> | ApiResponse {
  const { method, info } = request;
  if (info.verb === 'watch' && method === 'GET') return watch(request, served, settings);
  if (info.verb === 'proxy') throw noSuchResource();
  const isItem = info.parts.length === 2;
  switch (method) {
    case 'GET':
      return isItem ? get(request, served) : list(request, served);
    case 'POST':
      if (isItem || (served.namespaced && info.namespace === '')) throw methodNotAllowed();
      return create(request, served);
    case 'PUT':
      if (!isItem) throw methodNotAllowed();
      return update(request, served);
    case 'DELETE':
      if (!isItem) throw methodNotAllowed();
      return deleteOne(request, served);
    default:
      throw methodNotAllowed();
  }
}
