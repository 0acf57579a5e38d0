import {
  type Aggregator,
  type AggregatorOptions,
  type AutoRegistration,
  aggregatorApis,
  apiServices,
  assembleAggregator,
  autoRegister,
  customVersions,
  type DebtsOptions,
  lateChecks,
  localPriorities,
  type NamespaceDebt,
  namespaceDebts,
  type RunningDebts,
  serviceAddress,
  startDebts,
  withServersPath,
} from '@tributary/aggregator';
import type { APIService } from '@tributary/api/apiregistration-v1';
import type { Service } from '@tributary/api/core-v1';
import type { EndpointSlice } from '@tributary/api/discovery-v1';
import { endpointSlices, services } from '@tributary/client/controller';
import type { CoreExtension, ExtensionDependencies } from '@tributary/core-server';
import { isForwardedLongRunning } from '@tributary/proxy';
import type { HealthCheck } from '@tributary/server';
import type { MetricsRegistry } from '@tributary/server/operations';
import { oneRoute } from '@tributary/server/routing';

export interface AggregatorExtensionOptions
  extends Pick<
    AggregatorOptions,
    'documents' | 'identity' | 'rules' | 'localAddress' | 'unavailable' | 'keepCurrentMs'
  > {
  readonly rejectsRedirects: boolean;
  readonly namespaceDeletion: DebtsOptions['mode'];
  readonly namespaceDeletionGraceMs: number;
}

/** The aggregator as an extension of the control plane in the same process. */
export interface AggregatorExtension {
  readonly extension: CoreExtension;
  identityChanged(): void;
}

/** Upstream's names of the health checks of an aggregator. */
const CHECKS = [
  'autoregister-completion',
  'poststarthook/kube-apiserver-autoregistration',
  'poststarthook/apiservice-status-local-available-controller',
  'poststarthook/apiservice-status-remote-available-controller',
  'poststarthook/apiservice-discovery-controller',
];

interface Running {
  readonly aggregator: Aggregator;
  readonly debts: RunningDebts;
  readonly registering: AutoRegistration;
  readonly checks: ReadonlyMap<string, HealthCheck>;
}

export function aggregatorExtension(
  options: AggregatorExtensionOptions,
  dependencies: ExtensionDependencies,
): AggregatorExtension {
  const { client, informers, clock, log } = dependencies;
  let running: Running | undefined;
  let registry: MetricsRegistry | undefined;

  const start: CoreExtension['start'] = async ({ apis, live, signal }) => {
    const informer = informers.of<APIService>(apiServices);
    const aggregator = assembleAggregator({
      ...options,
      client,
      apiServices: informer,
      services: informers.of<Service>(services),
      endpointSlices: informers.of<EndpointSlice>(endpointSlices),
      localApis: () => live.apis(),
      authorize: dependencies.authorize,
      proxy: {
        isRemoteRedirectRejected: options.rejectsRedirects,
        gate: (registration) => debts.gate(registration),
      },
      clock,
      log,
    });
    const debts: RunningDebts = startDebts({
      ...aggregator,
      client,
      debts: informers.of<NamespaceDebt>(namespaceDebts),
      mode: options.namespaceDeletion,
      graceMs: options.namespaceDeletionGraceMs,
      clock,
      log,
    });
    if (registry !== undefined) {
      aggregator.registerMetrics(registry);
      debts.registerMetrics(registry);
    }
    const builtIn = localPriorities(apis);
    const custom = () => customVersions(live.apis(), builtIn);
    const registering = autoRegister({ informer, builtIn, custom }, { client, clock, log, signal });
    const unsubscribe = live.onChange(() => {
      aggregator.discovery.localChanged();
      registering.customChanged();
    });
    signal.addEventListener('abort', unsubscribe, { once: true });
    const checks = [...aggregator.healthChecks, ...registering.healthChecks];
    await Promise.all([aggregator.whenReady(), debts.whenReady()]);
    running = {
      aggregator,
      debts,
      registering,
      checks: new Map(checks.map((check) => [check.name, check])),
    };
  };

  return {
    extension: {
      apis: (core) => aggregatorApis(core, clock),
      routes: [oneRoute(() => running?.aggregator.routes ?? [])],
      healthChecks: lateChecks(CHECKS, (name) => running?.checks.get(name)),
      registerMetrics: (given) => {
        registry = given;
      },
      isLongRunning: isForwardedLongRunning,
      authorize: withServersPath,
      remoteGroups: () => running?.debts.remoteGroups,
      resolveService: (service) => serviceAddress(running?.aggregator.targets, service),
      start,
      close: async () => {
        await running?.debts.close();
        await running?.aggregator.close();
        await running?.registering.done;
      },
    },
    identityChanged: () => running?.aggregator.identityChanged(),
  };
}
