import { totalmem } from 'node:os';
import { type Storage, systemClock } from '@tributary/storage';
import type { ApiDefinition } from './api.ts';
import { refuseTokens } from './auth/bearer-token.ts';
import { clientCertificateAuthenticator } from './auth/client-certificate.ts';
import { mastersAuthorizer } from './auth/masters.ts';
import { discoveryHandler } from './discovery/discovery-handler.ts';
import type { Authenticator } from './filters/authentication.ts';
import type { Authorizer } from './filters/authorization.ts';
import { serverFilters } from './filters/chain.ts';
import { healthRoute } from './health.ts';
import { indexRoute } from './index-route.ts';
import { serveExchanges } from './listener/edge.ts';
import { type Listener, listen } from './listener/listener.ts';
import { metricsRoute } from './metrics.ts';
import { openApiHandler } from './openapi/openapi-handler.ts';
import { buildHandlerChain, type Handler } from './pipeline.ts';
import { problemLog } from './problem-log.ts';
import { resourceVerbs } from './resource.ts';
import { firstOf, resourceRoute } from './router.ts';
import { serveResources } from './serve-resources.ts';
import type { ResourceRoutes } from './served-resource.ts';
import { patchTypes } from './verbs/patch.ts';
import { versionRoute } from './version-info.ts';
import { openWatchCaches, type WatchCaches } from './watch-cache/watch-caches.ts';

export interface ServerConfig {
  readonly storage: Storage;
  readonly bindAddress?: string;
  /** 0 picks a free port. */
  readonly securePort?: number;
  /** PEM of the serving certificate and its key. */
  readonly serving: { readonly cert: string; readonly key: string };
  /** PEM of who signs client certificates; without it nobody is known by certificate. */
  readonly clientCa?: string;
  /** Default: `system:masters` may do everything, others may look at the server's health. */
  readonly authorizer?: Authorizer;
  /** The bound on what is cached: derived bytes go first, then cold resources, then clients are told to wait. */
  readonly memoryBytesMax?: number;
  /** What went wrong in the server itself. Default: standard error. */
  readonly reportBug?: (error: unknown) => void;
}

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  /** Ends watches, finishes requests under way, and closes the port; not the store, which is the caller's. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ApiServer {
  /** The whole server as a function, for tests without a port. */
  readonly handler: Handler;
  listen(): Promise<RunningServer>;
}

const REQUEST_TIMEOUT_MS = 60_000;
const MIN_REQUEST_TIMEOUT_MS = 1_800_000;
const BODY_BYTES_MAX = 3 * 1024 * 1024;
/** Requests under way at shutdown get this long before their connections are cut. */
const DRAIN_MS = 2_000;

/** Serves an API. Nothing is opened before `listen`. */
export function createServer(api: ApiDefinition, config: ServerConfig): ApiServer {
  const reportBug =
    config.reportBug ?? problemLog(systemClock, (text) => process.stderr.write(text));
  const bytesMax = config.memoryBytesMax ?? defaultMemoryBytes();
  const caches = openWatchCaches(config.storage, { clock: systemClock, limits: { bytesMax } });
  const served = serveResources(api, {
    storage: config.storage,
    caches,
    clock: systemClock,
    watch: {
      clock: systemClock,
      minRequestTimeoutMs: MIN_REQUEST_TIMEOUT_MS,
      random: Math.random,
    },
  });
  const handler = buildHandlerChain(
    buildEndpoint(api, served.routes, caches),
    serverFilters({
      authenticator: buildAuthenticator(config),
      authorizer: config.authorizer ?? mastersAuthorizer,
      deadline: { clock: systemClock, requestTimeoutMs: REQUEST_TIMEOUT_MS },
      reportBug,
    }),
  );
  return {
    handler,
    listen: async () => {
      const address = config.bindAddress ?? '127.0.0.1';
      const listener = await listen({
        address,
        port: config.securePort ?? 0,
        certificate: config.serving.cert,
        privateKey: config.serving.key,
        serve: serveExchanges({ handler, bodyBytesMax: BODY_BYTES_MAX, reportBug }),
      });
      return running(listener, address, async () => {
        await Promise.all([caches.close(), served.close()]);
      });
    },
  };
}

/** Half of what this process may have: the cache is the larger part of a server, and not all of it. */
function defaultMemoryBytes(): number {
  return Math.floor((process.constrainedMemory() || totalmem()) / 2);
}

function buildEndpoint(
  api: ApiDefinition,
  routes: readonly ResourceRoutes[],
  caches: WatchCaches,
): Handler {
  const apis = [api];
  return firstOf([
    resourceRoute(routes),
    discoveryHandler(apis, { servedVerbs: () => resourceVerbs, aggregatedVersions: ['v2'] }),
    openApiHandler(apis, { servedVerbs: () => resourceVerbs, patchTypes }),
    healthRoute,
    metricsRoute(caches),
    versionRoute,
    indexRoute(apis),
  ]);
}

function buildAuthenticator({ clientCa }: ServerConfig): Authenticator {
  const byCertificate: Authenticator =
    clientCa === undefined
      ? () => ({ outcome: 'no-opinion' })
      : clientCertificateAuthenticator(clientCa, () => Date.now());
  return async (request) => {
    const result = await byCertificate(request);
    return result.outcome === 'no-opinion' ? refuseTokens(request) : result;
  };
}

function running(
  listener: Listener,
  address: string,
  endWatches: () => Promise<void>,
): RunningServer {
  const host = address.includes(':') ? `[${address}]` : address;
  const close = async () => {
    await endWatches(); // so that draining does not wait for them
    await listener.close(DRAIN_MS);
  };
  return {
    url: `https://${host}:${listener.port}`,
    port: listener.port,
    close,
    [Symbol.asyncDispose]: close,
  };
}
