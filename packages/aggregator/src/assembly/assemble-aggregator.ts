import type { APIService } from '@tributary/api/apiregistration-v1';
import type { Service } from '@tributary/api/core-v1';
import type { EndpointSlice } from '@tributary/api/discovery-v1';
import type { Client, Clock, HeaderList, Informer } from '@tributary/client';
import type { Backends } from '@tributary/proxy';
import { type BackendsOptions, backendMetrics, openBackends } from '@tributary/proxy';
import type { ApiDefinition, ApiRequest, Authorizer, HealthCheck, Logger } from '@tributary/server';
import type { MetricsRegistry } from '@tributary/server/operations';
import type { Route } from '@tributary/server/routing';
import { localPriority } from '../api-services/local-priorities.ts';
import type { RemoteRegistration } from '../api-services/registration.ts';
import { statusWriter } from '../availability/condition-writer.ts';
import { type RunningAvailability, startAvailability } from '../availability/start-availability.ts';
import type { OfferedVersion } from '../discovery/merge-groups.ts';
import { type LocalAddress, serversRoute } from '../discovery/servers-route.ts';
import { type Discovery, startDiscovery } from '../discovery/start-discovery.ts';
import type { DocumentStore } from '../document-store/document-store.ts';
import { apiServicesHealthRoute } from '../health/api-services-health.ts';
import { type OpenApiOptions, startOpenApi } from '../openapi/start-openapi.ts';
import { proxyMetrics } from '../proxy/proxy-metrics.ts';
import { type ProxyOptions, proxyRoute } from '../proxy/proxy-route.ts';
import {
  type WatchedRegistrations,
  watchRegistrations,
} from '../registrations/watch-registrations.ts';
import type { ServiceRules } from '../targets/resolve-service.ts';
import {
  type TargetsOptions,
  type WatchedTargets,
  watchTargets,
} from '../targets/watch-targets.ts';

/** The dependencies of an aggregator in any program. */
export interface AggregatorOptions {
  /** Where the APIServices are, to write their conditions. */
  readonly client: Client;
  readonly apiServices: Informer<APIService>;
  readonly services: Informer<Service>;
  readonly endpointSlices: Informer<EndpointSlice>;
  /** Everything that this process serves by itself; the same list for as long as it is the same. */
  readonly localApis: () => readonly ApiDefinition[];
  /** The last good documents of other servers. It is the caller's. */
  readonly documents: DocumentStore;
  /** How this process shows other servers that it is their front proxy. */
  readonly identity: BackendsOptions['identity'];
  readonly rules: ServiceRules & Pick<TargetsOptions, 'unreadable'>;
  /** Puts something between the aggregator and all servers, such as credentials. */
  readonly wrapBackends?: ((backends: Backends) => Backends<RemoteRegistration>) | undefined;
  /** Authorizes lists of APIServices. */
  readonly authorize: Authorizer;
  /** Where this process itself answers; undefined as long as it does not. */
  readonly localAddress: () =>
    | (LocalAddress & { readonly host: string; readonly port: number })
    | undefined;
  readonly unavailable: 'keep' | 'stale';
  readonly keepCurrentMs: number;
  readonly proxy: Pick<ProxyOptions, 'gate' | 'isRemoteRedirectRejected' | 'isIdentityHeader'> & {
    readonly identityOf?: (registration: RemoteRegistration, request: ApiRequest) => HeaderList;
  };
  /** In place of documents of OpenAPI made of `localApis`. */
  readonly localDocuments?: OpenApiOptions['localDocuments'];
  /** Group versions of a cluster that requests are passed on to. */
  readonly moreVersions?: () => readonly OfferedVersion[];
  readonly morePaths?: () => readonly string[];
  readonly clock: Clock;
  readonly log: Logger;
}

/** An aggregator at work. */
export interface Aggregator extends AsyncDisposable {
  /** In the order in which they are asked. */
  readonly routes: readonly Route[];
  readonly registrations: WatchedRegistrations;
  readonly backends: Backends;
  readonly availability: RunningAvailability;
  readonly discovery: Discovery;
  readonly targets: WatchedTargets;
  readonly healthChecks: readonly HealthCheck[];
  registerMetrics(registry: MetricsRegistry): void;
  /** All registrations are known, and what was kept of their documents. Waits for no other server. */
  whenReady(): Promise<void>;
  /** Connections to other servers are made anew: they show another certificate. */
  identityChanged(): void;
  close(): Promise<void>;
}

/** Puts together what passes requests on to other servers, and tells what they serve. */
export function assembleAggregator(options: AggregatorOptions): Aggregator {
  const { clock, log, documents, localApis } = options;
  const registrations = watchRegistrations(options.apiServices, {
    onProblems: (name, problems) =>
      log.info('Ignoring invalid annotations of APIService', {
        name,
        problems: problems.map(({ annotation, detail }) => `${annotation}: ${detail}`).join('; '),
      }),
  });
  const targets = watchTargets({
    ...options.rules,
    services: options.services,
    endpointSlices: options.endpointSlices,
    selfAddress: options.localAddress,
  });
  const sent = backendMetrics();
  const opened = openBackends({
    findTargets: targets.find,
    identity: options.identity,
    onEvidence: (registration, evidence) => availability.onEvidence(registration, evidence),
    onLost: (registration) => availability.onConnectionLost(registration),
    clock,
    metrics: sent,
  });
  const backends = options.wrapBackends?.(opened) ?? opened;
  const availability: RunningAvailability = startAvailability({
    registrations,
    targets,
    backends,
    apiServices: options.apiServices,
    writeStatus: statusWriter(options.client),
    clock,
    log,
  });
  const discovery = startDiscovery({
    registrations,
    backends,
    availability,
    documents,
    localApis,
    localPriorities: localPriority,
    proxy: (request) => proxy(request),
    unavailable: options.unavailable,
    keepCurrentMs: options.keepCurrentMs,
    ...(options.moreVersions && { moreVersions: options.moreVersions }),
    ...(options.morePaths && { morePaths: options.morePaths }),
    clock,
    log,
  });
  const openApi = startOpenApi({
    registrations,
    backends,
    availability,
    documents,
    localApis,
    localDocuments: options.localDocuments,
    clock,
    log,
  });
  const metrics = proxyMetrics();
  const proxy = proxyRoute({
    registrations,
    backends,
    availability,
    clock,
    metrics,
    ...options.proxy,
  });
  const forgetBackends = registrations.onChange({
    changed: () => {},
    removed: ({ name }) => {
      backends.forget(name);
      documents.remove(name);
    },
  });
  const close = async () => {
    forgetBackends();
    await Promise.all([openApi.close(), discovery.close(), availability.close()]);
    targets.close();
    registrations.close();
    await backends.close();
  };
  return {
    routes: [
      apiServicesHealthRoute({ registrations, availability }),
      serversRoute({
        registrations,
        availability,
        findTargets: targets.find,
        authorize: options.authorize,
        localAddress: options.localAddress,
      }),
      discovery.route,
      openApi.route,
      proxy,
    ],
    registrations,
    backends,
    availability,
    discovery,
    targets,
    healthChecks: [...availability.healthChecks, discovery.healthCheck],
    registerMetrics: (registry) => {
      availability.registerMetrics(registry);
      discovery.registerMetrics(registry);
      openApi.registerMetrics(registry);
      metrics.register(registry);
      sent.register(registry);
    },
    whenReady: async () => {
      await Promise.all([registrations.whenSynced(), discovery.ready]);
    },
    identityChanged: () => backends.identityChanged(),
    close,
    [Symbol.asyncDispose]: close,
  };
}
