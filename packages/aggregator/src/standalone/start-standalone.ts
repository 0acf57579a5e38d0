import { type ClientConfig, type Clock, createClient, createInformer } from '@tributary/client';
import type { APIService } from '@tributary/core-server/parts';
import {
  createServer,
  defineApi,
  type HealthCheck,
  type Logger,
  type RunningServer,
  type ServerConfig,
} from '@tributary/server';
import { lazyDocuments, oneRoute, patchTypes, type Route } from '@tributary/server/parts';
import { type AggregatorOptions, assembleAggregator } from '../assemble-aggregator.ts';
import { withServersPath } from '../discovery/servers-route.ts';
import { apiServiceKind } from '../kinds/api-service-kind.ts';
import { apiServices, REGISTRATION_GROUP } from '../kinds/resources.ts';
import { isPassedOnLongRunning } from '../proxy/long-running.ts';
import type { Access } from './access.ts';
import { type Cluster, openCluster } from './cluster.ts';
import { followClusterDiscovery } from './cluster-discovery.ts';
import { followClusterOpenApi } from './cluster-openapi.ts';
import { clusterServices } from './cluster-services.ts';
import { forwardRoute } from './forward-route.ts';
import { lendToken } from './lend-token.ts';
import { openApiV3Route } from './openapi-route.ts';
import { isOwnPath, mayChangeDiscovery } from './own-paths.ts';

export interface StandaloneOptions
  extends Pick<
    AggregatorOptions,
    'documents' | 'identity' | 'rules' | 'unavailable' | 'keepCurrentMs'
  > {
  readonly config: ClientConfig;
  readonly access: Access;
  /** Whether the token of the kubeconfig is that of whoever asks, who may then lend it. */
  readonly isSingleUser: boolean;
  readonly rejectsRedirects: boolean;
  readonly frontProxyCaFile: string;
  readonly server: Omit<ServerConfig, 'log' | 'clock' | keyof Access['config'] | 'routes'>;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface RunningStandalone extends AsyncDisposable {
  readonly server: RunningServer;
  readonly cluster: Cluster;
  /** The cluster was asked once what it serves; whether it answered or not. */
  readonly asked: Promise<void>;
  identityChanged(): void;
  close(): Promise<void>;
}

/** As whom this process reads and writes its own store. */
const ITSELF = {
  user: { name: 'system:tributary-aggregator', uid: '', groups: ['system:masters'], extra: {} },
  userAgent: 'tributary-aggregator',
};

/** An aggregator with a store of its own, in front of a cluster that it changes nothing of. */
export async function startStandalone(options: StandaloneOptions): Promise<RunningStandalone> {
  const { config, access, clock, log } = options;
  const owned = new AsyncDisposableStack();
  const cluster = owned.use(openCluster(config, { clock }));
  const client = owned.use(createClient(config, { clock, userAgent: ITSELF.userAgent }));
  const services = owned.use(clusterServices(client, clock));
  const discovery = owned.use(
    followClusterDiscovery({ cluster, clock, log, changed: () => current?.discoveryChanged() }),
  );
  const serves = (group: string, version: string) =>
    discovery.versions.some((one) => one.group === group && one.version === version);
  const apis = [
    defineApi({
      group: REGISTRATION_GROUP,
      builtIn: true,
      resources: [
        apiServiceKind({
          isBuiltIn: (group, version) =>
            group === REGISTRATION_GROUP || (isKubernetes(group) && serves(group, version)),
          nowMs: () => clock.nowMs(),
        }),
      ],
    }),
  ];
  const openApi = followClusterOpenApi({
    cluster,
    own: lazyDocuments(apis, { patchTypes, modifiedMs: clock.nowMs() }),
    clock,
    log,
  });
  owned.defer(() => openApi.close());
  const authorizer = withServersPath(access.config.authorizer);
  let current: { readonly routes: readonly Route[]; discoveryChanged(): void } | undefined;
  const healthChecks: HealthCheck[] = [...(access.config.healthChecks ?? [])];
  const registering: NonNullable<ServerConfig['registerMetrics']>[] = [];
  const api = createServer(apis, {
    ...options.server,
    ...access.config,
    authorizer,
    anonymousAuth: false,
    routes: [oneRoute(() => current?.routes ?? [])],
    isLongRunning: isPassedOnLongRunning,
    healthChecks: [
      { ...EVERYWHERE, name: 'aggregator', check: () => failureOf(healthChecks) },
      { ...CLUSTER_CHECK, check: () => (discovery.versions.length > 0 ? undefined : UNHEARD) },
    ],
    registerMetrics: (registry) => {
      access.config.registerMetrics?.(registry);
      registering.push(() => aggregator.registerMetrics(registry));
    },
    clock,
    log,
  });
  const own = owned.use(api.client(ITSELF));
  const registrations = owned.use(
    createInformer<APIService>({
      resource: own.resource<APIService>(apiServices),
      clock,
      onError: (error) => log.error(error, 'APIServices could not be read'),
    }),
  );
  registrations.start();
  const aggregator = owned.use(
    assembleAggregator({
      client: own,
      apiServices: registrations,
      services: services.services,
      endpointSlices: services.endpointSlices,
      localApis: () => apis,
      localDocuments: openApi.documents,
      documents: options.documents,
      identity: options.identity,
      rules: { ...options.rules, unreadable: services.unreadable },
      wrapBackends: (backends) =>
        lendToken(backends, {
          token: options.isSingleUser ? cluster.bearerToken : undefined,
          frontProxyCaFile: options.frontProxyCaFile,
        }),
      authorize: authorizer,
      own: () => undefined, // `default/kubernetes` is the cluster's
      unavailable: options.unavailable,
      keepCurrentMs: options.keepCurrentMs,
      proxy: {
        isRemoteRedirectRejected: options.rejectsRedirects,
        ...(access.gate && { gate: access.gate }),
      },
      moreVersions: () => discovery.versions,
      morePaths: () => CLUSTER_PATHS,
      clock,
      log,
    }),
  );
  for (const register of registering) register(undefined as never);
  healthChecks.push(...aggregator.healthChecks);
  services.follow(aggregator.registrations);
  const forward = forwardRoute({
    cluster,
    subjectOf: access.subjectOf,
    isOwn: isOwnPath,
    heard: (request, status) => {
      if (mayChangeDiscovery(request, status)) discovery.written();
    },
  });
  const looked: Route = ({ path }) => {
    if (path.startsWith('/apis') || path.startsWith('/openapi')) discovery.looked();
    return undefined;
  };
  current = {
    discoveryChanged: () => aggregator.discovery.localChanged(),
    routes: [
      looked,
      openApiV3Route({
        cluster: openApi,
        own: oneRoute(() => aggregator.routes),
        forward,
        registrations: aggregator.registrations,
        clock,
      }),
      ...aggregator.routes,
      forward,
    ],
  };
  await aggregator.whenReady();
  const server = owned.use(await api.listen());
  const close = () => owned.disposeAsync();
  return {
    server,
    cluster,
    asked: discovery.asked,
    identityChanged: () => aggregator.identityChanged(),
    close,
    [Symbol.asyncDispose]: close,
  };
}
