import type { APIService } from '@tributary/api/apiregistration-v1';
import type { Service } from '@tributary/api/core-v1';
import type { EndpointSlice } from '@tributary/api/discovery-v1';
import type { Clock } from '@tributary/client';
import { endpointSlices, services } from '@tributary/client/controller';
import type { CoreExtension, ExtensionDependencies, HostServer } from '@tributary/core-server';
import { isForwardedLongRunning } from '@tributary/proxy';
import type { ApiDefinition, HealthCheck } from '@tributary/server';
import { defineApi } from '@tributary/server/definition';
import type { MetricsRegistry } from '@tributary/server/operations';
import { oneRoute } from '@tributary/server/routing';
import {
  type Aggregator,
  type AggregatorOptions,
  assembleAggregator,
} from '../assemble-aggregator.ts';
import { type DebtsOptions, type RunningDebts, startDebts } from '../debts/start-debts.ts';
import { withServersPath } from '../discovery/servers-route.ts';
import { apiServiceKind } from '../kinds/api-service-kind.ts';
import type { NamespaceDebt } from '../kinds/namespace-debt.ts';
import { namespaceDebtKind } from '../kinds/namespace-debt-kind.ts';
import {
  AGGREGATION_GROUP,
  apiServices,
  namespaceDebts,
  REGISTRATION_GROUP,
} from '../kinds/resources.ts';
import { type AutoRegistration, autoRegister } from '../registrations/auto-register.ts';
import { customVersions, localPriorities } from '../registrations/local-priorities.ts';
import { serviceAddress } from '../targets/service-address.ts';
import { lateChecks } from './late-checks.ts';

export interface GatewayOptions
  extends Pick<
    AggregatorOptions,
    'documents' | 'identity' | 'rules' | 'own' | 'unavailable' | 'keepCurrentMs'
  > {
  readonly rejectsRedirects: boolean;
  readonly namespaceDeletion: DebtsOptions['mode'];
  readonly namespaceDeletionGraceMs: number;
}

/** The aggregator as a part of a control plane. */
export interface Gateway {
  readonly extension: CoreExtension;
  identityChanged(): void;
}

/** Upstream's names of what runs here. */
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

export function gatewayExtension(
  options: GatewayOptions,
  surroundings: ExtensionDependencies,
): Gateway {
  const { client, informers, clock, log } = surroundings;
  let running: Running | undefined;
  let registry: MetricsRegistry | undefined;

  const start = async ({ apis, live, signal }: HostServer): Promise<void> => {
    const informer = informers.of<APIService>(apiServices);
    const aggregator = assembleAggregator({
      ...options,
      client,
      apiServices: informer,
      services: informers.of<Service>(services),
      endpointSlices: informers.of<EndpointSlice>(endpointSlices),
      localApis: () => live.apis(),
      authorize: surroundings.authorize,
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
    const unfollow = live.onChange(() => {
      aggregator.discovery.localChanged();
      registering.customChanged();
    });
    signal.addEventListener('abort', unfollow, { once: true });
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
      apis: (core) => ownApis(core, clock),
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

/** The APIs of the aggregator. An APIService is local when it is for one of them or of the core. */
function ownApis(core: readonly ApiDefinition[], clock: Clock): readonly ApiDefinition[] {
  const isBuiltIn = (group: string, version: string) =>
    [...core, ...own].some((api) => api.group === group && api.versions.includes(version));
  const own: readonly ApiDefinition[] = [
    defineApi({
      group: REGISTRATION_GROUP,
      builtIn: true,
      resources: [apiServiceKind({ isBuiltIn, nowMs: () => clock.nowMs() })],
    }),
    defineApi({ group: AGGREGATION_GROUP, builtIn: true, resources: [namespaceDebtKind] }),
  ];
  return own;
}
