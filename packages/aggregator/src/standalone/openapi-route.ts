import { noSuchResource } from '@tributary/apimachinery';
import type { Clock } from '@tributary/client';
import type { ApiRequest, ApiResponse } from '@tributary/server';
import { type Published, publishJson, serveIndexV3 } from '@tributary/server/openapi';
import { RequestHeaders } from '@tributary/server/request';
import type { Route } from '@tributary/server/routing';
import { REGISTRATION_GROUP } from '../api-services/resources.ts';
import type { Registrations } from '../registrations/registrations.ts';
import type { ClusterOpenApi } from './cluster-openapi.ts';
import { type IndexPaths, indexOf, readIndex } from './openapi-index.ts';

export interface OpenApiRouteOptions {
  readonly cluster: Pick<ClusterOpenApi, 'indexV3'>;
  /** Answers for what is served or registered here. */
  readonly own: Route;
  /** Passes on to the cluster. */
  readonly forward: Route;
  readonly registrations: Pick<Registrations, 'current'>;
  readonly clock: Pick<Clock, 'nowMs'>;
}

const INDEX = '/openapi/v3';

/** Documents of version 3: the index is one for both, and each document comes from the server of its group. */
export function openApiV3Route(options: OpenApiRouteOptions): Route {
  let last: { readonly json: string; readonly index: Published } | undefined;
  const publish = (document: object): Published => {
    const json = JSON.stringify(document);
    if (last?.json !== json) last = { json, index: publishJson(document, options.clock.nowMs()) };
    return last.index;
  };
  return (request) => {
    const { path } = request;
    if (path === INDEX) return indexV3(options, request, publish);
    if (!path.startsWith(`${INDEX}/`)) return undefined;
    return isOwn(options, path.slice(INDEX.length + 1)) ? undefined : options.forward(request);
  };
}

async function indexV3(
  options: OpenApiRouteOptions,
  request: ApiRequest,
  publish: (document: object) => Published,
): Promise<ApiResponse> {
  const cluster = await options.cluster.indexV3();
  // A client without an index reads version 2, which has everything.
  if (cluster === undefined) throw noSuchResource();
  const own = await ownPaths(options, request);
  return serveIndexV3(request, publish(indexOf(cluster, own)));
}

/** Without conditions of the client, which are about the index of both. */
async function ownPaths(options: OpenApiRouteOptions, request: ApiRequest): Promise<IndexPaths> {
  const response = await options.own({ ...request, headers: new RequestHeaders([]) });
  if (response?.kind !== 'bytes') return new Map();
  const paths = readIndex(Buffer.concat(response.chunks));
  return new Map([...paths].filter(([key]) => isOwn(options, key)));
}

function isOwn({ registrations }: OpenApiRouteOptions, key: string): boolean {
  const [prefix, group = '', version = ''] = key.split('/');
  if (prefix !== 'apis') return false;
  if (group === REGISTRATION_GROUP) return true;
  return registrations.current.byGroupVersion(group, version)?.remote !== undefined;
}
