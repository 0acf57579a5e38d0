import { systemClock } from '@tributary/client';
import type { ApiDefinition, Authorizer } from '@tributary/server';
import { type AddressPool, addressPool } from '../addresses/address-pool.ts';
import type { ComponentHealth } from '../kinds/core/component-status/kind.ts';
import type { CoreAuthentication } from './build-authentication.ts';
import type { CoreAuthorization } from './build-authorization.ts';
import type { CoreClients } from './build-clients.ts';
import { coreApis } from './core-apis.ts';
import type { CoreServerConfig } from './core-config.ts';

const EVENT_TTL_SECONDS = 3600;

export interface BuiltInApis {
  readonly apis: readonly ApiDefinition[];
  /** Cluster IPs and node ports, all free until the Services are read from storage. */
  readonly pool: AddressPool;
}

export function buildApis(
  config: CoreServerConfig,
  parts: {
    readonly clients: CoreClients;
    readonly authentication: CoreAuthentication;
    readonly authorization: CoreAuthorization;
    /** Authorizes reviews and escalation checks. */
    readonly authorize: Authorizer;
  },
): BuiltInApis {
  const { clock = systemClock } = config;
  const { clients, authentication, authorization, authorize } = parts;
  const pool = addressPool({ range: config.serviceRange });
  const apis = coreApis({
    authorize,
    index: authorization.index,
    rulesFor: authorization.rulesFor,
    client: () => clients.client,
    addresses: pool,
    endpointRules: { allowLoopback: config.allowLoopbackEndpoints ?? false },
    componentHealth: () => componentHealth(config),
    eventTtlSeconds: config.eventTtlSeconds ?? EVENT_TTL_SECONDS,
    requestToken: authentication.requestToken,
    reviewToken: authentication.reviewToken,
    nowMs: () => clock.nowMs(),
  });
  return { apis, pool };
}

/** The store, under the name that upstream's ComponentStatus has for it. */
async function componentHealth({ server }: CoreServerConfig): Promise<readonly ComponentHealth[]> {
  try {
    await server.storage.currentRevision();
    return [{ name: 'etcd-0', status: 'Healthy', message: 'ok' }];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [{ name: 'etcd-0', status: 'Unhealthy', message }];
  }
}
