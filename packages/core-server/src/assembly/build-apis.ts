import { systemClock } from '@tributary/client';
import type { ApiDefinition, Authorizer, ResourceDefinition } from '@tributary/server';
import { defineApi } from '@tributary/server/definition';
import { type AddressPool, addressPool } from '../addresses/address-pool.ts';
import {
  APIEXTENSIONS_GROUP,
  customResourceDefinitionKind,
} from '../custom-resources/definition/definition-kind.ts';
import type { ComponentHealth } from '../kinds/core/component-status/kind.ts';
import { builtInKinds, type KindDependencies } from '../kinds/index.ts';
import { upstreamKeyPrefix } from '../kinds/shared/upstream-keys.ts';
import type { EscalationSources } from '../rbac/escalation.ts';
import type { RbacIndex } from '../rbac/rbac-index.ts';
import { storedRole } from '../rbac/stored-role.ts';
import type { CoreAuthentication } from './build-authentication.ts';
import type { CoreAuthorization } from './build-authorization.ts';
import type { CoreClients } from './build-clients.ts';
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

/** The dependencies of the kinds that a control plane serves. */
interface ApiParts extends Omit<KindDependencies, 'escalation'> {
  readonly index: RbacIndex;
}

/** The group before `apiextensions.k8s.io` in the order of priority. */
const GROUP_BEFORE_DEFINITIONS = 'storage.k8s.io';

/** The APIs that a control plane serves, with the groups in the order of their priority. */
function coreApis(parts: ApiParts): readonly ApiDefinition[] {
  const { index, client } = parts;
  const escalation: EscalationSources = {
    authorize: parts.authorize,
    rulesFor: (user, namespace) => index.rulesFor(user, namespace),
    roleOf: (ref, namespace) => storedRole(client(), ref, namespace),
  };
  return [...builtInKinds({ ...parts, escalation })].flatMap(([group, resources]) => [
    builtInApi(group, resources),
    ...(group === GROUP_BEFORE_DEFINITIONS ? [definitionApi(parts)] : []),
  ]);
}

/** Upstream serves definitions with a server of its own, whose errors name no special keys. */
function definitionApi(parts: ApiParts): ApiDefinition {
  return defineApi({
    group: APIEXTENSIONS_GROUP,
    builtIn: true,
    resources: [customResourceDefinitionKind(parts)],
  });
}

function builtInApi(group: string, resources: readonly ResourceDefinition[]): ApiDefinition {
  const errorKeyPrefix = (resource: string) => upstreamKeyPrefix({ group, resource });
  return defineApi({ group, builtIn: true, resources, errorKeyPrefix, reportsErrorsOnce: true });
}
