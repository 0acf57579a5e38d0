import { Connections, type Endpoint, type PoolLimits } from '@tributary/client/connections';
import type { BackendFailure, BackendRequest } from './backend.ts';
import { addressOf } from './explain-failure.ts';
import type { Target } from './target.ts';
import type { Trust } from './trust.ts';

type Use = BackendRequest['use'];

/** One target of a server with its connections. Each use has its own: watches never starve a GET. */
export interface PooledTarget {
  readonly target: Target;
  readonly endpoint: Endpoint;
  readonly connections: { [use in Use]?: Connections };
  readonly inFlight: { [use in Use]: number };
  /** Reads without a response, which are sent to another target when this one is found silent. */
  readonly waiting: Set<(failure: BackendFailure) => void>;
  /** It failed to connect: others are preferred until then. */
  avoidedUntilMs: number;
}

/** The identity of a target. */
export function targetKey({ host, port, serverName }: Target): string {
  return `${host} ${port} ${serverName}`;
}

export function poolTarget(target: Target, trust: Trust): PooledTarget {
  const authority = addressOf(target);
  return {
    target,
    endpoint: {
      host: target.host,
      port: target.port,
      origin: `https://${authority}`,
      authority,
      tls: async () => trust.settings(target.serverName),
    },
    connections: {},
    inFlight: { request: 0, watch: 0, probe: 0 },
    waiting: new Set(),
    avoidedUntilMs: 0,
  };
}

export function connectionsFor(
  pooled: PooledTarget,
  use: Use,
  limits: { readonly [use in Use]: PoolLimits },
): Connections {
  const { connections } = pooled;
  let found = connections[use];
  if (found === undefined) {
    found = new Connections(pooled.endpoint, limits[use]);
    connections[use] = found;
  }
  return found;
}

export function allConnections({ connections }: PooledTarget): Connections[] {
  return Object.values(connections);
}
