import { systemClock } from '@tributary/storage';
import { mastersAuthorizer } from '../auth/masters.ts';
import type { ApiDefinition } from '../definition/api.ts';
import { discoveryHandler } from '../discovery/discovery-handler.ts';
import { lazyOpenApiHandler, openApiHandler } from '../openapi/openapi-handler.ts';
import { systemIdentity } from '../registry/object-metadata.ts';
import { ListBodyCache, listBodyLimits } from '../representation/list-body-cache.ts';
import { longRunningCheck } from '../request/long-running.ts';
import { type ApiRequest, buildHandlerChain, type Handler } from '../request/pipeline.ts';
import { indexRoute } from '../routing/index-route.ts';
import { LiveApis } from '../routing/live/live-apis.ts';
import type { LiveResources } from '../routing/live/live-resources.ts';
import { serveLive } from '../routing/live/serve-live.ts';
import type { ResourcePlace, RouteTable } from '../routing/route-table.ts';
import { firstOf, type Route, resourceRoute } from '../routing/router.ts';
import { serveResources } from '../routing/serve-resources.ts';
import { versionRoute } from '../routing/version-info.ts';
import { openValidationThread } from '../validation/validation-thread.ts';
import { patchTypes } from '../verbs/patch-documents.ts';
import { defaultLimits } from '../watch-cache/limits.ts';
import type { WatchCache } from '../watch-cache/types.ts';
import { openWatchCaches } from '../watch-cache/watch-caches.ts';
import { bootstrapRoute } from './bootstrap/bootstrap-route.ts';
import type { PortlessConfig } from './server-config.ts';
import { type Operations, serverOperations } from './server-operations.ts';

/** A server without a port. */
export interface AssembledServer {
  readonly handler: Handler;
  readonly operations: Operations;
  /** Resources that are added and removed at run time. */
  readonly live: LiveResources;
  /** Undefined for resources that are not in the store. */
  cacheOf(place: ResourcePlace): WatchCache | undefined;
  /** Host and port once there is one, for discovery. */
  readonly address: { current: string | undefined };
  /** Ends every watch; the store is the caller's. */
  closeCaches(): Promise<void>;
}

const MIN_REQUEST_TIMEOUT_MS = 1_800_000;

/** Builds the handler of a server from its parts. */
export function assembleServer(
  apis: readonly ApiDefinition[],
  config: PortlessConfig,
  openApiOf: (apis: () => readonly ApiDefinition[]) => Route,
): AssembledServer {
  const bytesMax = config.memoryBytesMax ?? defaultLimits.bytesMax;
  const clock = config.clock ?? systemClock;
  const identity = config.identity ?? systemIdentity;
  const operations = serverOperations(config, {
    memory: () => caches.memory(),
    isServed: (request) => isServed(request),
    loadOf: ({ group, version, resource }) => served.routes.cacheOf({ group, version, resource }),
  });
  const { storage, reportBug } = operations;
  const caches = openWatchCaches(storage, {
    clock,
    limits: { bytesMax },
    metrics: operations.cacheMetrics,
  });
  const validationThread = openValidationThread(
    config.validationThread,
    operations.validationMetrics,
  );
  const liveApis = new LiveApis(apis);
  const served = serveResources(apis, () => liveApis.all(), {
    storage,
    caches,
    clock,
    watch: {
      clock,
      minRequestTimeoutMs: config.minRequestTimeoutMs ?? MIN_REQUEST_TIMEOUT_MS,
      random: config.random ?? Math.random,
    },
    authorize: config.authorizer ?? mastersAuthorizer,
    identity,
    namespaces: config.namespaces,
    otherKinds: config.otherKinds,
    responses: {
      nowMs: identity.nowMs,
      listBodies: new ListBodyCache({ bytesMax: listBodyBytes(bytesMax) }),
      reportProblem: reportBug,
    },
    validationThread,
  });
  const live = serveLive(liveApis, served, operations.forgetResource);
  const isServed = servedCheck(served.routes);
  // For discovery; only a listening server has one.
  const address: { current: string | undefined } = { current: undefined };
  const endpoint = buildEndpoint(
    live.apis,
    {
      resources: served.routes,
      openApi: openApiOf(live.apis),
      operations: [...operations.routes, bootstrapRoute(apis, config.servingCa)],
      more: (config.routes ?? []).map((route) => unlessOnlyHere(route, operations.peers)),
    },
    () => address.current,
  );
  const isStream = longRunningCheck(
    (info) => served.routes.find(info)?.subresources.get(info.subresource)?.longRunning ?? false,
  );
  const { isLongRunning: isOthers } = config;
  const isLongRunning =
    isOthers === undefined
      ? isStream
      : (info: ApiRequest['info']) => isStream(info) || isOthers(info);
  const assembled: AssembledServer = {
    handler: buildHandlerChain(endpoint, operations.filters(isLongRunning)),
    operations,
    live,
    cacheOf: (place) => served.routes.cacheOf(place),
    address,
    closeCaches: async () => {
      await Promise.all([caches.close(), served.close(), validationThread.close()]);
    },
  };
  return assembled;
}

/**
 * The OpenAPI documents of the served resources. Invalid schemas of authors fail at the start; those of built-in kinds
 * are known to be valid, and are many.
 */
export function openApiRoute(
  apis: () => readonly ApiDefinition[],
  { clock }: Pick<PortlessConfig, 'clock'>,
): Route {
  const options = { patchTypes, ...(clock && { clock }) };
  const atStart = apis();
  const later = lazyOpenApiHandler(apis, options);
  if (atStart.every(({ builtIn }) => builtIn)) return later;
  const fixed = openApiHandler(atStart, options);
  return (request) => (apis() === atStart ? fixed(request) : later(request));
}

/** A small part of the cache's memory: encoded lists are cached only to be sent again. */
function listBodyBytes(memoryBytesMax: number): number {
  return Math.min(listBodyLimits.bytesMax, Math.floor(memoryBytesMax / 16));
}

function buildEndpoint(
  apis: () => readonly ApiDefinition[],
  routes: {
    readonly resources: RouteTable;
    readonly openApi: Route;
    readonly operations: readonly Route[];
    readonly more: readonly Route[];
  },
  serverAddress: () => string | undefined,
): Handler {
  return firstOf([
    ...routes.more,
    resourceRoute(routes.resources),
    discoveryHandler(apis, {
      serverAddress,
      aggregatedVersions: ['v2'],
      isAggregator: apis().some(({ group }) => group === ''),
    }),
    routes.openApi,
    ...routes.operations,
    versionRoute,
    indexRoute(apis),
  ]);
}

function unlessOnlyHere(route: Route, peers: Operations['peers']): Route {
  return (request) => (peers.isOnlyHere(request) ? undefined : route(request));
}

/** Metrics have labels only for served resources: requests for arbitrary paths must not create labels. */
function servedCheck(routes: RouteTable): (request: ApiRequest) => boolean {
  return ({ info }) => {
    if (!info.isResourceRequest) return HEALTH_PATHS.has(info.path);
    const found = routes.find(info);
    if (found === undefined) return false;
    return info.subresource === '' || found.subresources.has(info.subresource);
  };
}

const HEALTH_PATHS = new Set(['/healthz', '/livez', '/readyz']);
