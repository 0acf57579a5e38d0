import type { Clock, Storage } from '@tributary/storage';
import type { TokenLookup } from '../auth/bearer-token.ts';
import type { CredentialConfig } from '../auth/credential-store.ts';
import type { FlowControl } from '../filters/flow-control.ts';
import type { Loopback } from '../http/in-process/loopback.ts';
import type { AuditPolicy } from '../operations/audit/policy.ts';
import type { HealthCheck } from '../operations/health/health.ts';
import type { Destination } from '../operations/logging/line-writer.ts';
import type { Logger } from '../operations/logging/logger.ts';
import type { CounterFamily } from '../operations/metrics/family.ts';
import type { MetricsRegistry } from '../operations/metrics/registry.ts';
import type { OtherKind } from '../registry/known-kinds.ts';
import type { Identity } from '../registry/object-metadata.ts';
import type { Authenticator } from '../request/authenticator.ts';
import type { Authorizer } from '../request/authorizer.ts';
import type { LongRunningCheck } from '../request/long-running.ts';
import type { NamespaceSource } from '../routing/described-resource.ts';
import type { Route } from '../routing/router.ts';
import type { ValidationThreadOptions } from '../validation/validation-thread.ts';
import type { ServingCaSource } from './bootstrap/bootstrap-route.ts';

export interface ServerConfig extends CredentialConfig {
  readonly storage: Storage;
  readonly bindAddress?: string;
  /** 0 picks a free port. */
  readonly securePort?: number;
  /** PEM of the serving certificate and its key. */
  readonly serving: { readonly cert: string; readonly key: string };
  /** The CA for the manifests at `/bootstrap/<group>`. Default: unknown. */
  readonly servingCa?: ServingCaSource;
  /** Resolves tokens that are not among `tokens`. */
  readonly lookUpToken?: TokenLookup;
  /** Whether requests without credentials are served as `system:anonymous`, possibly by path. Default: yes. */
  readonly anonymousAuth?: boolean | ((path: string) => boolean);
  /** Replaces all of the above except `anonymousAuth`. */
  readonly authenticator?: Authenticator;
  /** Default: `system:masters` is allowed everything, other users the health endpoints. */
  readonly authorizer?: Authorizer;
  /**
   * The namespaces, of another server or a resource of this one, so that no object is created in a missing or
   * terminating namespace. Default: every namespace exists.
   */
  readonly namespaces?: NamespaceSource;
  /** In-process clients created before the server. Default: none. */
  readonly loopback?: Loopback;
  /** Kinds that are not served, but decoded for better errors when clients send them. */
  readonly otherKinds?: readonly OtherKind[];
  /** Routes beside the resources; matched first. */
  readonly routes?: readonly Route[];
  /** Maximum number of requests in flight; 0 means no limit. Default: 400 and 200. */
  readonly maxRequestsInFlight?: number;
  readonly maxMutatingRequestsInFlight?: number;
  /** Replaces these two limits. */
  readonly flowControl?: FlowControl;
  /** Further long-running requests, beside watches and streams of the server's own resources. */
  readonly isLongRunning?: LongRunningCheck;
  /** Default: a minute. */
  readonly requestTimeoutMs?: number;
  /**
   * Watches without a timeout of their own end after a random time between this and its double. Default: half an hour.
   */
  readonly minRequestTimeoutMs?: number;
  /** Audit policy and log. Default: no audit. */
  readonly audit?: { readonly policy: AuditPolicy; readonly destination: Destination };
  /** The log of the server, closed by the caller. Default: text on standard error. */
  readonly log?: Logger;
  /** Further health checks. */
  readonly healthChecks?: readonly HealthCheck[];
  /** Adds metrics to those of the server. */
  readonly registerMetrics?: (registry: MetricsRegistry) => void;
  /** The counter of `catchUncaughtErrors`, in a program that has it. */
  readonly uncaughtErrors?: CounterFamily;
  readonly corsAllowedOrigins?: readonly RegExp[];
  readonly hstsDirectives?: readonly string[];
  /** Probability that an HTTP/2 connection is closed after a request, to rebalance load: 0 to 0.02. */
  readonly goawayChance?: number;
  readonly shutdown?: ShutdownTimes;
  /** Limit of the watch cache: derived bytes are evicted first, then cold resources; then clients have to wait. */
  readonly memoryBytesMax?: number;
  /** The validation thread for slow validations. */
  readonly validationThread?: ValidationThreadOptions;
  /** Receives internal errors. Default: the log. */
  readonly reportBug?: (error: unknown) => void;
  /** Time of requests, watches and bookmarks. Default: the system clock. */
  readonly clock?: Clock;
  /** UIDs, generated names and timestamps of objects. Default: random, and the system clock. */
  readonly identity?: Identity;
  /** A number in [0, 1) for jitter. Default: `Math.random`. */
  readonly random?: () => number;
}

/** The configuration of a server without a port. */
export type PortlessConfig = Omit<ServerConfig, 'serving' | 'bindAddress' | 'securePort'>;

interface ShutdownTimes {
  /** Time to serve requests while not ready, until load balancers notice. Default: none. */
  readonly delayMs?: number;
  /** Time over which watches are ended. Default: ten seconds. */
  readonly watchGraceMs?: number;
  /** Time for requests in flight before their connections are closed. Default: two seconds. */
  readonly drainMs?: number;
}
