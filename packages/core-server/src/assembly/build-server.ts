import {
  type ApiDefinition,
  type ApiServer,
  type Authorizer,
  createServer,
} from '@tributary/server';
import { MAX_MUTATING_REQUESTS_IN_FLIGHT, MAX_REQUESTS_IN_FLIGHT } from '@tributary/server/filters';
import type { CounterFamily } from '@tributary/server/operations';
import type { Route } from '@tributary/server/routing';
import { systemClock } from '@tributary/storage';
import { serviceAccountDiscovery } from '../authentication/index.ts';
import { syncErrorCounter } from '../controllers/garbage-collection/sync-errors.ts';
import { validationEntry } from '../custom-resources/definition/validation-thread/validation-entry.ts';
import { FlowController } from '../flow-control/flow-controller.ts';
import { rejectionLog } from '../flow-control/rejection-log.ts';
import { namespaceKind } from '../kinds/core/namespace/kind.ts';
import type { CoreAuthentication } from './build-authentication.ts';
import type { CoreClients } from './build-clients.ts';
import type { CoreServerConfig } from './core-config.ts';
import type { CoreExtension } from './core-extension.ts';

export interface BuiltServer {
  readonly server: ApiServer;
  /** Undefined when requests are limited by count alone. */
  readonly flowControl: FlowController | undefined;
  readonly collectorErrors: CounterFamily;
}

export function buildServer(
  config: CoreServerConfig,
  parts: {
    readonly apis: readonly ApiDefinition[];
    readonly clients: CoreClients;
    readonly authentication: CoreAuthentication;
    readonly authorize: Authorizer;
    readonly extension: CoreExtension | undefined;
  },
): BuiltServer {
  const { apis, clients, authentication, authorize, extension } = parts;
  const flowControl = buildFlowControl(config);
  const collectorErrors = syncErrorCounter();
  const server = createServer(apis, {
    ...config.server,
    log: config.log,
    loopback: clients.loopback,
    validationThread: { entry: validationEntry, ...config.server.validationThread },
    authorizer: authorize,
    namespaces: namespaceKind,
    lookUpToken: authentication.lookUpToken,
    routes: [...(extension?.routes ?? []), ...issuerDiscoveryRoute(config)],
    healthChecks: [...(config.server.healthChecks ?? []), ...(extension?.healthChecks ?? [])],
    ...(flowControl && { flowControl }),
    ...(extension?.isLongRunning && { isLongRunning: extension.isLongRunning }),
    registerMetrics: (registry) => {
      config.server.registerMetrics?.(registry);
      flowControl?.registerMetrics(registry);
      registry.add(collectorErrors);
      extension?.registerMetrics?.(registry);
    },
  });
  return { server, flowControl, collectorErrors };
}

/** Priority and fairness, with the seats of reads and writes together. */
function buildFlowControl({
  priorityAndFairness = true,
  server,
  log,
}: CoreServerConfig): FlowController | undefined {
  if (!priorityAndFairness) return undefined;
  const {
    clock = systemClock,
    maxRequestsInFlight: reads = MAX_REQUESTS_IN_FLIGHT,
    maxMutatingRequestsInFlight: writes = MAX_MUTATING_REQUESTS_IN_FLIGHT,
  } = server;
  return new FlowController({
    clock,
    seats: reads + writes,
    onRejected: rejectionLog(log, clock),
  });
}

/** Publishes the keys of service account tokens, unless the issuer is not a URL that may publish them. */
function issuerDiscoveryRoute({ serviceAccounts, server, log }: CoreServerConfig): Route[] {
  const { keys, issuers } = serviceAccounts;
  const port = server.securePort ?? 0;
  const discovery = serviceAccountDiscovery({
    issuer: issuers[0] ?? '',
    externalAddress: `${server.bindAddress ?? '127.0.0.1'}:${port}`,
    keys: () => keys,
  });
  if ('route' in discovery) return [discovery.route];
  log.info('Service account issuer discovery is disabled', { reason: discovery.reason });
  return [];
}
