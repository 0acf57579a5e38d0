import { type Client, type ClientConfig, createClient, sleep } from '@tributary/client';
import { type Clock, systemClock } from '@tributary/storage';
import type { TokenLookup } from '../auth/bearer-token.ts';
import type { TrustSource } from '../auth/trust-source.ts';
import type { HealthCheck } from '../operations/health/health.ts';
import type { Logger } from '../operations/logging/logger.ts';
import {
  type DelegationMetrics,
  delegationMetrics,
} from '../operations/metrics/delegation-metrics.ts';
import type { MetricsRegistry } from '../operations/metrics/registry.ts';
import type { Authorizer } from '../request/authorizer.ts';
import type { NamespaceSource } from '../routing/described-resource.ts';
import { followCoreNamespaces } from './core-namespaces.ts';
import { followCoreTrust } from './core-trust.ts';
import { delegatedAuthorizer } from './delegated-authorizer.ts';
import { reviewAuthorizer } from './review-authorizer.ts';
import { tokenReviewLookup } from './token-review.ts';
import type { WantedTrust } from './trust-config-map.ts';

export interface DelegationOptions {
  /** The core server that authenticates users. Without it only local credentials count. */
  readonly authentication?: DelegatedAuthentication;
  /** The core server that authorizes requests. Without it the server's own authorizer decides. */
  readonly authorization?: DelegatedAuthorization;
  /** The core server whose namespaces objects belong to. Without it every namespace exists. */
  readonly namespaces?: ClientConfig;
  readonly log: Logger;
  /** The name of this server in the logs of the core server. */
  readonly userAgent?: string;
  readonly clock?: Clock;
}

export interface DelegatedAuthentication {
  readonly core: ClientConfig;
  /** The parts of the published configuration that are read. Default: all. */
  readonly trust?: WantedTrust;
  /** Whether the server reports ready although the trusted CAs cannot be read. Default: no. */
  readonly tolerateLookupFailure?: boolean;
  /** How long results of token reviews are cached. Default: ten seconds. */
  readonly cacheTtlMs?: number;
}

export interface DelegatedAuthorization {
  readonly core: ClientConfig;
  /**
   * Paths that are served without authorization, also during an outage. Default: `/healthz`, `/livez` and `/readyz`.
   */
  readonly alwaysAllowPaths?: readonly string[];
  /** How long allowed results are cached. Default: ten seconds. */
  readonly allowTtlMs?: number;
  readonly denyTtlMs?: number;
}

/** The part of a server's configuration that is delegated to a core server. */
interface DelegatedConfig {
  readonly trust?: TrustSource;
  readonly lookUpToken?: TokenLookup;
  readonly authorizer?: Authorizer;
  readonly namespaces?: NamespaceSource;
  readonly healthChecks?: readonly HealthCheck[];
  readonly registerMetrics?: (registry: MetricsRegistry) => void;
}

/** The delegated configuration, usable at once, even if the core server is unavailable. */
export interface Delegation extends AsyncDisposable {
  readonly config: DelegatedConfig;
  /** Resolves with true after the initial reads, and with false when it is closed before. */
  whenReady(): Promise<boolean>;
  /** Ends watches and connections; called after the server's own close. Closing twice is harmless. */
  close(): Promise<void>;
}

const CACHE_TTL_MS = 10_000;
/** For one call, and for all retries shared by the requests with the same token. */
const CALL_TIMEOUT_MS = 10_000;
const TOKEN_TIMEOUT_MS = 30_000;
const READY_POLL_MS = 20;
const HEALTH_PATHS = ['/healthz', '/readyz', '/livez'];

/** Delegates authentication, authorization and namespaces to a core server. */
export function delegate(options: DelegationOptions): Delegation {
  const { log, clock = systemClock, authentication, authorization, namespaces } = options;
  const clients = new Map<ClientConfig, Client>();
  const owned = new AsyncDisposableStack();
  const figures: { current?: DelegationMetrics } = {};
  const to = (core: ClientConfig): Client => {
    const client = clients.get(core) ?? coreClient(core, options);
    if (!clients.has(core)) owned.use(client);
    clients.set(core, client);
    return client;
  };
  const healthChecks: HealthCheck[] = [];
  /** Each part is closed with the rest, and is a health check of the server. */
  const part = <Part extends AsyncDisposable & { healthCheck: HealthCheck }>(part: Part) => {
    healthChecks.push(part.healthCheck);
    return owned.use(part);
  };
  return {
    config: {
      ...(authentication && {
        lookUpToken: tokenLookup(to(authentication.core), { authentication, clock, figures }),
      }),
      ...(authentication &&
        wantsAny(authentication.trust) && {
          trust: part(
            followCoreTrust({
              client: to(authentication.core),
              clock,
              log,
              wanted: authentication.trust ?? { clientCa: true, requestHeader: true },
              tolerateLookupFailure: authentication.tolerateLookupFailure ?? false,
            }),
          ),
        }),
      ...(authorization && {
        authorizer: authorizer(to(authorization.core), { authorization, clock, figures }),
      }),
      ...(namespaces && {
        namespaces: part(followCoreNamespaces({ client: to(namespaces), clock, log })),
      }),
      healthChecks,
      registerMetrics: (registry) => {
        figures.current = delegationMetrics(registry);
      },
    },
    whenReady: async () => {
      while (!owned.disposed) {
        if (healthChecks.every(({ check }) => check() === undefined)) return true;
        await sleep(clock, READY_POLL_MS);
      }
      return false;
    },
    close: () => owned.disposeAsync(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function coreClient(core: ClientConfig, { userAgent }: DelegationOptions): Client {
  return createClient(core, {
    connectTimeoutMs: CALL_TIMEOUT_MS,
    headersTimeoutMs: CALL_TIMEOUT_MS,
    bodyTimeoutMs: CALL_TIMEOUT_MS,
    ...(userAgent !== undefined && { userAgent }),
  });
}

function wantsAny(trust: WantedTrust | undefined): boolean {
  return trust === undefined || trust.clientCa || trust.requestHeader;
}

interface Dependencies {
  readonly clock: Clock;
  readonly figures: { readonly current?: DelegationMetrics };
}

function tokenLookup(
  { transport }: Client,
  { authentication, clock, figures }: Dependencies & { authentication: DelegatedAuthentication },
) {
  const lookup = tokenReviewLookup({
    transport,
    clock,
    cacheTtlMs: authentication.cacheTtlMs ?? CACHE_TTL_MS,
    timeoutMs: TOKEN_TIMEOUT_MS,
    observe: (code, tookMs) => figures.current?.authentication(code, tookMs),
  });
  return (token: string) => lookup(token);
}

function authorizer(
  { transport }: Client,
  { authorization, clock, figures }: Dependencies & { authorization: DelegatedAuthorization },
) {
  return delegatedAuthorizer({
    paths: authorization.alwaysAllowPaths ?? HEALTH_PATHS,
    review: reviewAuthorizer({
      transport,
      clock,
      allowTtlMs: authorization.allowTtlMs ?? CACHE_TTL_MS,
      denyTtlMs: authorization.denyTtlMs ?? CACHE_TTL_MS,
      timeoutMs: CALL_TIMEOUT_MS,
      observe: ({ status, tookMs }) =>
        figures.current?.authorization(status === undefined ? '<error>' : String(status), tookMs),
    }),
  });
}
