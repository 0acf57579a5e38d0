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
  /** Asked when somebody wants the manifests at `/bootstrap/<group>`. Default: not known. */
  readonly servingCa?: ServingCaSource;
  /** Knows more tokens, beside those. */
  readonly lookUpToken?: TokenLookup;
  /** Whether who shows no credential is served as `system:anonymous`, or at which paths. Default: yes. */
  readonly anonymousAuth?: boolean | ((path: string) => boolean);
  /** In place of all of the above but anonymous. */
  readonly authenticator?: Authenticator;
  /** Default: `system:masters` may do everything, others may look at the server's health. */
  readonly authorizer?: Authorizer;
  /**
   * Who knows the namespaces, so that nothing is created in one that is missing or going away: another server, or a
   * resource of this one. Without it every name is a namespace.
   */
  readonly namespaces?: NamespaceSource;
  /** Clients that were made before the server. Default: none. */
  readonly loopback?: Loopback;
  /** Kinds that are not served, but that clients may send by mistake: they are told what they sent. */
  readonly otherKinds?: readonly OtherKind[];
  /** What is served beside the resources; asked before everything else. */
  readonly routes?: readonly Route[];
  /** Reads and writes that are served at once; 0 means no bound. Default: 400 and 200. */
  readonly maxRequestsInFlight?: number;
  readonly maxMutatingRequestsInFlight?: number;
  /** In place of these two bounds. */
  readonly flowControl?: FlowControl;
  /** What lives as long as its client wants, beside watches and the streams of the server's own resources. */
  readonly isLongRunning?: LongRunningCheck;
  /** Default: a minute. */
  readonly requestTimeoutMs?: number;
  /** Watches without a wish end after a random time between this and its double. Default: half an hour. */
  readonly minRequestTimeoutMs?: number;
  /** Who did what, and where it is written; without it nothing is. */
  readonly audit?: { readonly policy: AuditPolicy; readonly destination: Destination };
  /** The log of the server itself. Default: lines of text on standard error. It is the caller's to close. */
  readonly log?: Logger;
  /** What must be well beside the server's own parts. */
  readonly healthChecks?: readonly HealthCheck[];
  /** Adds figures to those of the server. */
  readonly registerMetrics?: (registry: MetricsRegistry) => void;
  /** The counter of `catchUncaughtErrors`, in a program that has it. */
  readonly uncaughtErrors?: CounterFamily;
  readonly corsAllowedOrigins?: readonly RegExp[];
  readonly hstsDirectives?: readonly string[];
  /** How often a connection of HTTP/2 is ended after a request, so that load spreads: 0 to 0.02. */
  readonly goawayChance?: number;
  readonly shutdown?: ShutdownTimes;
  /** The bound on what is cached: derived bytes go first, then cold resources, then clients are told to wait. */
  readonly memoryBytesMax?: number;
  /** The thread in which objects are judged that take long, and what is judged before it is asked. */
  readonly validationThread?: ValidationThreadOptions;
  /** What went wrong in the server itself. Default: the log. */
  readonly reportBug?: (error: unknown) => void;
  /** Time as requests, watches and bookmarks see it. Default: the system's. */
  readonly clock?: Clock;
  /** Uids, generated names and the time objects are stamped with. Default: unpredictable, and the system's. */
  readonly identity?: Identity;
  /** A number in [0, 1), for what is spread over time. Default: any. */
  readonly random?: () => number;
}

/** What a server needs that no port belongs to. */
export type PortlessConfig = Omit<ServerConfig, 'serving' | 'bindAddress' | 'securePort'>;

export interface ShutdownTimes {
  /** Not ready, but serving: load balancers need this time to notice. Default: none. */
  readonly delayMs?: number;
  /** Watches are ended within this time. Default: ten seconds. */
  readonly watchGraceMs?: number;
  /** Requests under way get this long before their connections are cut. Default: two seconds. */
  readonly drainMs?: number;
}
