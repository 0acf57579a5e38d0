import {
  methodNotAllowed,
  methodNotSupported,
  noSuchResource,
  notFound,
} from '@tributary/apimachinery';
import type { ResourceVerb } from '../definition/resource.ts';
import { requireServedType } from '../representation/output.ts';
import type {
  Endpoint,
  ResourceRoutes,
  ServedResource,
} from '../representation/served-resource.ts';
import type { ApiRequest, ApiResponse, Handler } from '../request/pipeline.ts';
import type { RequestInfo } from '../request/request-info.ts';
import { cachedResponse } from '../verbs/cached-response.ts';
import { requirePatchType } from '../verbs/patch-documents.ts';
import type { RouteTable } from './route-table.ts';

/** A route responds to a request or leaves it to the next. */
export type Route = (
  request: ApiRequest,
) => Promise<ApiResponse | undefined> | ApiResponse | undefined;

/** The first route that responds; 404 when none does. */
export function firstOf(routes: readonly Route[]): Handler {
  const route = oneRoute(() => routes);
  return (request) => {
    const response = route(request);
    if (response instanceof Promise) return response.then(orNotFound);
    return orNotFound(response);
  };
}

function orNotFound(response: ApiResponse | undefined): ApiResponse {
  if (response === undefined) throw noSuchResource();
  return response;
}

/** Several routes as one, tried in order; the list may change between requests. */
export function oneRoute(routes: () => readonly Route[]): Route {
  const from = (
    candidates: readonly Route[],
    request: ApiRequest,
    first: number,
  ): ReturnType<Route> => {
    for (let index = first; index < candidates.length; index += 1) {
      const response = candidates[index]?.(request);
      if (response instanceof Promise) {
        return response.then((resolved) => resolved ?? from(candidates, request, index + 1));
      }
      if (response !== undefined) return response;
    }
    return undefined;
  };
  return (request) => from(routes(), request, 0);
}

/** Resource requests of the groups served at the moment. */
export function resourceRoute(table: RouteTable): Route {
  return (request) => {
    const { info } = request;
    if (!info.isResourceRequest) return undefined;
    if (!table.hasGroup(info.group) || info.apiPrefix !== prefixOf(info.group)) return undefined;
    const routes = table.find(info);
    if (routes === undefined) throw noSuchResource();
    const cached = cachedResponse(request, routes.served);
    if (cached !== undefined) return cached;
    if (!isPath(info, routes.served)) throw noSuchResource();
    const endpoint =
      info.parts.length > 2 ? subresourceOf(request, routes) : verbOf(request, routes);
    if (request.method === 'PATCH' && !takesAnyBody(info, routes)) {
      requirePatchType(request, routes.served.definition);
    }
    if (info.parts.length < 3) requireServedType(request);
    warnOfDeprecation(request, routes.served);
    const refusal = info.parts.length < 3 && routes.served.definition.gate?.(info.verb);
    if (refusal) throw refusal;
    return endpoint(request);
  };
}

function takesAnyBody({ subresource }: RequestInfo, { subresources }: ResourceRoutes): boolean {
  return subresources.get(subresource)?.takesAnyBody ?? false;
}

/** The core group has a prefix of its own. */
function prefixOf(group: string): string {
  return group === '' ? 'api' : 'apis';
}

function warnOfDeprecation(
  { warnings }: ApiRequest,
  { apiVersion, kind, version }: ServedResource,
) {
  if (version.deprecated === undefined) return;
  if (typeof version.deprecated === 'string') return warnings.add(version.deprecated);
  const { since, unavailableIn, use } = version.deprecated;
  const old = `${apiVersion} ${kind.kind} is deprecated in ${since}+`;
  const text = unavailableIn === undefined ? old : `${old}, unavailable in ${unavailableIn}+`;
  warnings.add(use === undefined ? text : `${text}; use ${use}`);
}

/** Items of a namespaced resource exist only below a namespace, cluster-scoped ones never do. */
function isPath(info: RequestInfo, { namespaced }: ServedResource): boolean {
  if (info.verb === 'proxy') return false;
  if (!namespaced) return info.namespace === '' || isNamespace(info);
  return info.parts.length === 1 || info.namespace !== '';
}

/** RequestInfo of a Namespace has the namespace itself, so that rights within it may include the Namespace object. */
function isNamespace({ group, resource, name, namespace }: RequestInfo): boolean {
  return group === '' && resource === 'namespaces' && name === namespace;
}

const ITEM_VERBS: Readonly<Record<string, ResourceVerb>> = {
  GET: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

const COLLECTION_VERBS: Readonly<Record<string, ResourceVerb>> = {
  GET: 'list',
  POST: 'create',
  DELETE: 'deletecollection',
};

function verbOf({ method, info }: ApiRequest, { served, verbs }: ResourceRoutes): Endpoint {
  const isItem = info.parts.length === 2;
  const places = isItem ? ITEM_VERBS : COLLECTION_VERBS;
  const verb = Object.hasOwn(places, method) ? places[method] : undefined;
  // A path without any verb does not exist.
  if (!verbs.has(verb as ResourceVerb) && !hasPath(places, verbs)) throw noSuchResource();
  if (method === 'GET' && info.verb === 'watch') {
    const watch = verbs.get('watch');
    if (watch !== undefined) return watch;
    if (verbs.has('list')) throw methodNotSupported(served.resource, 'watch');
  }
  // Objects are not created or deleted in all namespaces at once.
  const everywhere = !isItem && served.namespaced && info.namespace === '';
  if (everywhere && method !== 'GET' && served.definition.custom) throw noSuchResource();
  const allowed = everywhere && method !== 'GET' ? undefined : verb;
  const endpoint = allowed && verbs.get(allowed);
  if (endpoint === undefined) throw methodNotAllowed();
  return endpoint;
}

function hasPath(
  places: Readonly<Record<string, ResourceVerb>>,
  verbs: ResourceRoutes['verbs'],
): boolean {
  return Object.values(places).some((verb) => verbs.has(verb));
}

function subresourceOf(
  { method, info }: ApiRequest,
  { served, subresources }: ResourceRoutes,
): Endpoint {
  const { resource, definition } = served;
  const subresource = subresources.get(info.subresource);
  if (subresource === undefined || (info.parts.length > 3 && !subresource.subpath)) {
    throw definition.custom ? notFound(resource, info.name) : noSuchResource();
  }
  const endpoint = subresource.methods.get(method);
  if (endpoint === undefined) {
    throw definition.custom ? methodNotSupported(resource, info.verb) : methodNotAllowed();
  }
  return endpoint;
}
