import { type Clock, type Storage, StorageUnavailable, systemClock } from '@tributary/storage';
import { buildAuthenticator, withAnonymous } from '../auth/build-authenticator.ts';
import { CredentialStore } from '../auth/credential-store.ts';
import { mastersAuthorizer } from '../auth/masters.ts';
import { customIdentityHeader } from '../auth/request-header-names.ts';
import type { AuthenticationOptions } from '../filters/authentication.ts';
import { serverFilters } from '../filters/chain.ts';
import { seatFilter } from '../filters/seats.ts';
import { estimateSeats, type LoadOf } from '../filters/work-estimate.ts';
import type { InProcessPeers } from '../http/in-process/in-process-peers.ts';
import { Loopback } from '../http/in-process/loopback.ts';
import { auditLog } from '../operations/audit/audit-log.ts';
import { healthRoute } from '../operations/health/health.ts';
import { serverHealthChecks } from '../operations/health/health-checks.ts';
import { refusalLogger, requestLogger } from '../operations/logging/access-line.ts';
import { descriptorDestination } from '../operations/logging/descriptor.ts';
import { LineWriter } from '../operations/logging/line-writer.ts';
import { type Logger, logger } from '../operations/logging/logger.ts';
import { problemLog } from '../operations/logging/problem-log.ts';
import { textLine } from '../operations/logging/text-line.ts';
import { type AccessMetrics, accessMetrics } from '../operations/metrics/access-metrics.ts';
import { auditMetrics } from '../operations/metrics/audit-metrics.ts';
import { watchCacheMetrics } from '../operations/metrics/cache-metrics.ts';
import { measuredStorage } from '../operations/metrics/measured-storage.ts';
import { metricsRoute } from '../operations/metrics/metrics-route.ts';
import { MetricsRegistry } from '../operations/metrics/registry.ts';
import { requestMetrics } from '../operations/metrics/request-metrics.ts';
import { type SystemMetrics, systemMetrics } from '../operations/metrics/system-metrics.ts';
import { validationMetrics } from '../operations/metrics/validation-metrics.ts';
import { Shutdown } from '../operations/shutdown.ts';
import type { LongRunningCheck } from '../request/long-running.ts';
import type { ApiRequest, Filter } from '../request/pipeline.ts';
import type { Route } from '../routing/router.ts';
import type { ValidationObserver } from '../validation/work-thread.ts';
import type { WatchCacheMetrics } from '../watch-cache/metrics.ts';
import type { CacheMemory } from '../watch-cache/watch-caches.ts';
import type { PortlessConfig } from './server-config.ts';

const REQUEST_TIMEOUT_MS = 60_000;

/** The operational parts of a server: authentication, logs, metrics, health, shutdown. */
export interface Operations {
  /** The store with metrics. */
  readonly storage: Storage;
  readonly credentials: CredentialStore;
  /** Identities of in-process clients. */
  readonly peers: InProcessPeers;
  readonly shutdown: Shutdown;
  readonly system: SystemMetrics;
  readonly cacheMetrics: WatchCacheMetrics;
  readonly validationMetrics: ValidationObserver;
  readonly routes: readonly Route[];
  readonly reportBug: (error: unknown) => void;
  /** Called when a resource is no longer served. */
  readonly forgetResource: (group: string, resource: string) => void;
  filters(isLongRunning: LongRunningCheck): readonly Filter[];
  /** Flushes the logs. */
  close(): Promise<void>;
}

interface OperationsSources {
  readonly memory: () => CacheMemory;
  /** The load of a resource, for the cost of requests. */
  readonly loadOf: LoadOf;
  /** Whether a request is for a served resource. */
  readonly isServed: (request: ApiRequest) => boolean;
}

export function serverOperations(config: PortlessConfig, sources: OperationsSources): Operations {
  const clock: Clock = config.clock ?? systemClock;
  const random = config.random ?? Math.random;
  const log = config.log ?? standardErrorLog(clock);
  const problems = problemLog(clock, (text, problem) => log.error(text, messageFor(problem)));
  const reportBug = config.reportBug ?? problems;
  const registry = new MetricsRegistry();
  const shutdown = new Shutdown(clock, random);
  const credentials = new CredentialStore(config);
  const { peers } = config.loopback ?? new Loopback();
  const seats = seatFilter(config, clock, (request) => estimateSeats(request, sources.loadOf));
  const system = systemMetrics(registry, {
    memory: sources.memory,
    inFlight: seats.figures,
    logLinesDropped: () => log.linesDropped,
    uncaughtErrors: config.uncaughtErrors,
  });
  const access = accessMetrics(registry);
  const observe = auditMetrics(registry, reportBug);
  const audit = config.audit && auditLog({ ...config.audit, nowMs: clock.nowMs, observe });
  const requests = requestMetrics(registry, sources.isServed);
  const checks = serverHealthChecks({
    clock,
    storage: config.storage,
    shutdown,
    logMovedMs: () => log.movedMs,
  });
  config.registerMetrics?.(registry);
  const logAccess = requestLogger(log);
  return {
    storage: measuredStorage(config.storage, registry),
    credentials,
    peers,
    shutdown,
    system,
    cacheMetrics: watchCacheMetrics(registry, reportBug),
    validationMetrics: validationMetrics(registry),
    routes: [
      healthRoute([...checks, ...(config.healthChecks ?? [])], (endpoint, failures) =>
        log.verbose(2, `${endpoint} check failed`, { failures: failures.join('; ') }),
      ),
      metricsRoute(registry),
    ],
    reportBug,
    forgetResource: requests.forget,
    filters: (isLongRunning) =>
      serverFilters({
        isLongRunning,
        observation: { nowMs: clock.nowMs, metrics: requests, logAccess },
        responseHeaders: {
          ...(config.hstsDirectives && { hstsDirectives: config.hstsDirectives }),
        },
        goaway: { chance: config.goawayChance ?? 0, random },
        shutdown,
        deadline: { clock, requestTimeoutMs: config.requestTimeoutMs ?? REQUEST_TIMEOUT_MS },
        corsAllowedOrigins: config.corsAllowedOrigins ?? [],
        authentication: authenticationOf(config, { credentials, peers, access, log }),
        auditLog: audit,
        impersonation: { authorize: config.authorizer ?? mastersAuthorizer, nowMs: clock.nowMs },
        seats: seats.filter,
        authorization: {
          authorize: config.authorizer ?? mastersAuthorizer,
          observe: access.authorized,
          reportBug,
        },
        reportBug,
      }),
    async close() {
      credentials.close();
      system.close();
      await audit?.close();
      await log.flush();
    },
  };
}

function authenticationOf(
  config: PortlessConfig,
  parts: {
    credentials: CredentialStore;
    peers: InProcessPeers;
    access: AccessMetrics;
    log: Logger;
  },
): AuthenticationOptions {
  const { credentials, peers, access, log } = parts;
  const requestHeaders = () => credentials.requestHeaders;
  const anonymous = config.anonymousAuth ?? true;
  const custom = config.authenticator;
  const ofConnections =
    custom === undefined
      ? buildAuthenticator({
          credentials: () => credentials.current,
          requestHeaders,
          ...(config.lookUpToken && { lookUpToken: config.lookUpToken }),
          anonymous,
          nowMs: () => Date.now(),
          observeExpiry: access.certificateExpiry,
        })
      : withAnonymous(custom, anonymous);
  return {
    authenticate: (request) => peers.authenticate(request) ?? ofConnections(request),
    ...((config.requestHeader?.names ?? config.trust) && {
      isCustomIdentityHeader: customIdentityHeader(requestHeaders),
    }),
    observe: access.authenticated,
    onRejected: refusalLogger(log),
  };
}

/** A server without storage can only return errors, so this error has its own message. */
function messageFor(problem: unknown): string {
  return problem instanceof StorageUnavailable ? 'Storage is unavailable' : 'Internal error';
}

function standardErrorLog(clock: Clock): Logger {
  const writer = new LineWriter({
    destination: descriptorDestination(2),
    onError: () => {}, // no other place to report it
  });
  return logger({ writer, verbosity: 0, format: (entry) => textLine(entry, clock.nowMs()) });
}
