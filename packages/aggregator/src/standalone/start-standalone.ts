import type { APIService } from '@tributary/api/apiregistration-v1';
import { type ClientConfig, type Clock, createInformer } from '@tributary/client';
import { isForwardedLongRunning } from '@tributary/proxy';
import {
  type ApiDefinition,
  createServer,
  type HealthCheck,
  type Logger,
  type RunningServer,
  type ServerConfig,
} from '@tributary/server';
import { lazyDocuments } from '@tributary/server/openapi';
import type { MetricsRegistry } from '@tributary/server/operations';
import { oneRoute, type Route } from '@tributary/server/routing';
import { patchTypes } from '@tributary/server/verbs';
import { apiServices } from '../api-services/resources.ts';
import {
  type Aggregator,
  type AggregatorOptions,
  assembleAggregator,
} from '../assembly/assemble-aggregator.ts';
import { withServersPath } from '../discovery/servers-route.ts';
import { checksAfterStart } from '../health/checks-after-start.ts';
import type { Access } from './access.ts';
import { type ClusterOpenApi, watchClusterOpenApi } from './cluster-openapi.ts';
import { type ClusterView, USER_AGENT, viewCluster } from './cluster-view.ts';
import { forwardRoute } from './forward-route.ts';
import { forwardToken } from './forward-token.ts';
import { localApi } from './local-api.ts';
import { isLocalPath, mayChangeDiscovery } from './local-paths.ts';
import { openApiV3Route } from './openapi-route.ts';

export interface StandaloneOptions
  extends Pick<
    AggregatorOptions,
    'documents' | 'identity' | 'rules' | 'unavailable' | 'keepCurrentMs'
  > {
  readonly config: ClientConfig;
  /** Made when the cluster can be asked. */
  readonly access: (view: ClusterView) => Access;
  /** Whether the token of the kubeconfig belongs to every client, so that it may be forwarded. */
  readonly isSingleUser: boolean;
  readonly rejectsRedirects: boolean;
  readonly frontProxyCaFile: string;
  readonly server: Pick<ServerConfig, 'storage' | 'serving'> & Partial<ServerConfig>;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface RunningStandalone extends AsyncDisposable {
  readonly server: RunningServer;
  /** The cluster was asked once what it serves, whether it answered or not. */
  readonly clusterPolled: Promise<void>;
  identityChanged(): void;
  close(): Promise<void>;
}

/** As whom this process reads and writes its own store. */
const ITSELF = {
  user: { name: 'system:tributary-aggregator', uid: '', groups: ['system:masters'], extra: {} },
  userAgent: USER_AGENT,
};
/** Of parts that are there when the server is put together. */
const CHECKS = [
  'poststarthook/apiservice-status-local-available-controller',
  'poststarthook/apiservice-status-remote-available-controller',
  'poststarthook/apiservice-discovery-controller',
];
/** Of the cluster, for the index; groups are there anyhow. */
const CLUSTER_PATHS = ['/api', '/api/v1', '/version'];

/** An aggregator with a store of its own, in front of a cluster that it changes nothing of. */
export async function startStandalone(options: StandaloneOptions): Promise<RunningStandalone> {
  const { clock, log } = options;
  await using starting = new AsyncDisposableStack();
  const changed = () => current?.aggregator.discovery.localChanged();
  const view = starting.use(viewCluster(options.config, { clock, log, changed }));
  const { discovery } = view;
  const access = options.access(view);
  const apis = [localApi(() => discovery, clock)];
  const openApi = watchClusterOpenApi({
    cluster: view.cluster,
    own: lazyDocuments(apis, { patchTypes, modifiedMs: clock.nowMs() }),
    clock,
    log,
  });
  starting.defer(() => openApi.close());
  let current: { readonly aggregator: Aggregator; readonly routes: readonly Route[] } | undefined;
  let registry: MetricsRegistry | undefined;
  let isClosing = false;
  const api = createServer(apis, {
    ...options.server,
    ...access.config,
    authorizer: withServersPath(access.config.authorizer),
    anonymousAuth: false,
    routes: [oneRoute(() => current?.routes ?? [])],
    isLongRunning: isForwardedLongRunning,
    healthChecks: [
      ...(access.config.healthChecks ?? []),
      ...checksAfterStart(CHECKS, (name) =>
        current?.aggregator.healthChecks.find((check) => check.name === name),
      ),
      clusterCheck(discovery),
    ],
    registerMetrics: (given) => {
      access.config.registerMetrics?.(given);
      registry = given;
    },
    clock,
    log,
  });
  const client = starting.use(api.client(ITSELF));
  const informer = starting.use(
    createInformer<APIService>({
      resource: client.resource<APIService>(apiServices),
      clock,
      onError: (error) => {
        if (!isClosing) log.error(error, 'Reading APIServices failed');
      },
    }),
  );
  informer.start();
  const own = { client, apiServices: informer, apis };
  const aggregator = starting.use(standaloneAggregator(options, { view, access, openApi, own }));
  if (registry !== undefined) aggregator.registerMetrics(registry);
  view.services.watchNamespacesOf(aggregator.registrations);
  current = { aggregator, routes: routesOf(aggregator, { view, access, openApi, clock }) };
  await aggregator.whenReady();
  const server = starting.use(await api.listen());
  const owned = starting.move();
  const close = () => {
    isClosing = true;
    return owned.disposeAsync();
  };
  return {
    server,
    clusterPolled: discovery.polled,
    identityChanged: () => aggregator.identityChanged(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface Parts {
  readonly view: ClusterView;
  readonly access: Access;
  readonly openApi: ClusterOpenApi;
}

function standaloneAggregator(
  options: StandaloneOptions,
  {
    view,
    access,
    openApi,
    own,
  }: Parts & {
    readonly own: Pick<AggregatorOptions, 'client' | 'apiServices'> & {
      readonly apis: readonly ApiDefinition[];
    };
  },
): Aggregator {
  const { services, discovery, cluster } = view;
  const { documents, identity, rules, unavailable, keepCurrentMs, clock, log } = options;
  return assembleAggregator({
    ...{ documents, identity, unavailable, keepCurrentMs, clock, log },
    client: own.client,
    apiServices: own.apiServices,
    localApis: () => own.apis,
    localDocuments: openApi.documents,
    services: services.services,
    endpointSlices: services.endpointSlices,
    rules: { ...rules, unreadable: services.unreadable },
    wrapBackends: (backends) =>
      forwardToken(backends, {
        token: options.isSingleUser ? cluster.bearerToken : undefined,
        frontProxyCaFile: options.frontProxyCaFile,
      }),
    authorize: access.config.authorizer,
    localAddress: () => undefined, // `default/kubernetes` is the cluster's
    proxy: {
      isRemoteRedirectRejected: options.rejectsRedirects,
      ...(access.gate && { gate: access.gate }),
    },
    moreVersions: () => discovery.versions,
    morePaths: () => CLUSTER_PATHS,
  });
}

/** In the order in which they are asked; whatever is left is for the cluster, or the store of our own. */
function routesOf(
  aggregator: Aggregator,
  { view, access, openApi, clock }: Parts & { readonly clock: Clock },
): readonly Route[] {
  const { cluster, discovery } = view;
  const forward = forwardRoute({
    cluster,
    subjectOf: access.subjectOf,
    isLocal: isLocalPath,
    onResponse: (request, status) => {
      if (mayChangeDiscovery(request, status)) discovery.onWrite();
    },
  });
  const look: Route = ({ path }) => {
    if (path === '/apis') discovery.onRead();
    return undefined;
  };
  const own = oneRoute(() => aggregator.routes);
  const { registrations } = aggregator;
  const documents = openApiV3Route({ cluster: openApi, own, forward, registrations, clock });
  return [look, documents, own, forward];
}

function clusterCheck(discovery: ClusterView['discovery']): HealthCheck {
  return {
    name: 'cluster-discovery',
    endpoints: ['readyz'],
    check: () =>
      discovery.versions.length > 0 ? undefined : 'the cluster has not told yet what it serves',
  };
}
