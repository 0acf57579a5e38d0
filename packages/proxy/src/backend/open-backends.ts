import type { Clock } from '@tributary/client';
import { type Backend, BackendFailure, type Backends, type OnEvidence } from './backend.ts';
import type { BackendServer } from './backend-config.ts';
import { type BackendMetrics, backendMetrics } from './backend-metrics.ts';
import { BackendPool } from './backend-pool.ts';
import { Bounds } from './bounds.ts';
import { ConnectedBackend } from './connected-backend.ts';
import type { FindTargets } from './target.ts';
import type { FrontProxyIdentity } from './trust.ts';

/** How long connections may take, and how long idle ones are kept. */
export interface BackendConnectionLimits {
  /** TCP alone. */
  readonly connectTimeoutMs: number;
  readonly handshakeTimeoutMs: number;
  readonly pingIntervalMs: number;
  readonly pingTimeoutMs: number;
  readonly idleTimeoutMs: number;
  /** Until the response to an upgrade; other responses have the timeout of their request. */
  readonly upgradeTimeoutMs: number;
}

/** As upstream, but for dialling: half a minute is too long to find out that a process is gone. */
export const defaultConnectionLimits: BackendConnectionLimits = {
  connectTimeoutMs: 5_000,
  handshakeTimeoutMs: 10_000,
  pingIntervalMs: 30_000,
  pingTimeoutMs: 15_000,
  idleTimeoutMs: 90_000,
  upgradeTimeoutMs: 30_000,
};

export interface BackendsOptions {
  readonly findTargets: FindTargets;
  /** The client certificate; read again after `identityChanged`. */
  readonly identity: () => FrontProxyIdentity | undefined;
  readonly onEvidence: OnEvidence;
  /** A kept connection was ended by the server: it may be gone. */
  readonly onLost?: (server: BackendServer) => void;
  readonly clock: Clock;
  readonly random?: () => number;
  readonly metrics?: BackendMetrics;
  readonly limits?: Partial<BackendConnectionLimits>;
}

interface Opened {
  readonly pool: BackendPool;
  readonly bounds: Bounds;
  backend: Backend;
}

export function openBackends(options: BackendsOptions): Backends {
  const { metrics = backendMetrics(), random = Math.random, clock, onEvidence } = options;
  const limits = { ...defaultConnectionLimits, ...options.limits };
  const upgradeLimits = { ...limits, headTimeoutMs: limits.upgradeTimeoutMs };
  const opened = new Map<string, Opened>();
  /** Pools of removed servers with requests in flight. */
  let forgotten: BackendPool[] = [];
  let isClosed = false;

  const connected = (server: BackendServer, { pool, bounds }: Omit<Opened, 'backend'>) =>
    new ConnectedBackend(server, {
      ...{ pool, bounds, onEvidence, metrics, clock, random, upgradeLimits },
    });
  const open = (server: BackendServer): Opened => {
    const { name, remote } = server;
    const { findTargets, identity } = options;
    const bounds = new Bounds(name, remote.limits, { metrics, clock });
    const onLost = () => options.onLost?.(opened.get(name)?.backend.server ?? server);
    const pool = new BackendPool(server, {
      ...{ findTargets, identity, metrics, bounds },
      limits: { ...limits, onLost },
    });
    return { pool, bounds, backend: connected(server, { pool, bounds }) };
  };
  const forget = (name: string): void => {
    const found = opened.get(name);
    if (found === undefined) return;
    opened.delete(name);
    found.pool.retire();
    forgotten = [...forgotten, found.pool].filter(({ counts }) => counts.http1 + counts.http2 > 0);
  };
  const close = async (): Promise<void> => {
    isClosed = true;
    for (const { pool } of opened.values()) pool.destroy();
    for (const pool of forgotten) pool.destroy();
    opened.clear();
    forgotten = [];
  };
  metrics.observe(function* figures() {
    for (const [name, { pool, bounds }] of opened) {
      const { requests: requestsInFlight, watches } = bounds;
      yield { name, requestsInFlight, watches, connections: pool.counts };
    }
  });
  return {
    of(server) {
      if (isClosed) throw stopping();
      const known = opened.get(server.name);
      if (known === undefined) {
        const made = open(server);
        opened.set(server.name, made);
        return made.backend;
      }
      if (known.backend.server !== server) {
        known.bounds.limits = server.remote.limits;
        known.pool.adopt(server);
        known.backend = connected(server, known);
      }
      return known.backend;
    },
    forget,
    identityChanged() {
      for (const { pool } of opened.values()) pool.renew();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function stopping(): BackendFailure {
  return new BackendFailure('the aggregator is stopping, and makes no new connections', {
    hop: 'connect',
    maybeProcessed: false,
  });
}
