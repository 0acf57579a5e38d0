import { methodNotAllowed, noSuchResource, pageNotFound } from '@tributary/apimachinery';
import type { ApiRequest, ApiResponse, Handler } from './pipeline.ts';
import type { ServedResource } from './served-resource.ts';
import { create } from './verbs/create.ts';
import { deleteOne } from './verbs/delete.ts';
import { deleteCollection } from './verbs/delete-collection.ts';
import { get } from './verbs/get.ts';
import { list } from './verbs/list.ts';
import { patch, requirePatchType } from './verbs/patch.ts';
import { update } from './verbs/update.ts';
import { type WatchSettings, watch } from './verbs/watch.ts';

/** The verbs every resource has; discovery tells them to clients. */
export const servedVerbs: readonly string[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

/** Something that may answer a request, or leave it to the next. */
export type Route = (
  request: ApiRequest,
) => Promise<ApiResponse | undefined> | ApiResponse | undefined;

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

/** Resource requests of the groups that are served here. */
export function resourceRoute(served: readonly ServedResource[], settings: WatchSettings): Route {
  const groups = new Set(served.map(({ kind }) => kind.group));
  const byPath = new Map(served.map((one) => [`${one.apiVersion}/${one.resource.resource}`, one]));

  return (request) => {
    const { info } = request;
    if (!info.isResourceRequest || info.apiPrefix !== 'apis' || !groups.has(info.group)) {
      return undefined;
    }
    const resource = byPath.get(`${info.group}/${info.version}/${info.resource}`);
    if (resource === undefined || !isRoute(request, resource)) throw noSuchResource();
    const verb = verbOf(request, resource, settings);
    if (verb === undefined) throw methodNotAllowed();
    if (verb === patch) requirePatchType(request);
    warnOfDeprecation(request, resource);
    return verb(request, resource);
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
  if (info.parts.length > 2 || info.verb === 'proxy') return false;
  if (!namespaced) return info.namespace === '';
  return info.parts.length === 1 || info.namespace !== '';
}

type Verb = (request: ApiRequest, served: ServedResource) => Promise<ApiResponse> | ApiResponse;

function verbOf(
  { method, info }: ApiRequest,
  { namespaced }: ServedResource,
  settings: WatchSettings,
): Verb | undefined {
  const isItem = info.parts.length === 2;
  switch (method) {
    case 'GET':
      if (info.verb === 'watch') return (request, served) => watch(request, served, settings);
      return isItem ? get : list;
    case 'POST':
      // Nothing is created or deleted in all namespaces at once.
      return isItem || (namespaced && info.namespace === '') ? undefined : create;
    case 'PUT':
      return isItem ? update : undefined;
    case 'PATCH':
      return isItem ? patch : undefined;
    case 'DELETE':
      if (isItem) return deleteOne;
      return namespaced && info.namespace === '' ? undefined : deleteCollection;
    default:
      return undefined;
  }
}
