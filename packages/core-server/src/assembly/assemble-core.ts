import { systemClock } from '@tributary/client';
import type { ApiDefinition, Authorizer } from '@tributary/server';
import type { ControllerOptions } from '../controllers/start-controllers.ts';
import type { RbacIndex } from '../rbac/rbac-index.ts';
import { type BuiltInApis, buildApis } from './build-apis.ts';
import { buildAuthentication } from './build-authentication.ts';
import { buildAuthorization } from './build-authorization.ts';
import { buildClients, type CoreClients } from './build-clients.ts';
import { type BuiltServer, buildServer } from './build-server.ts';
import type { CoreServerConfig } from './core-config.ts';
import type { CoreExtension } from './core-extension.ts';
import { ReloadableState } from './reloadable-state.ts';

/** A control plane whose port is not open and whose controllers do not run. */
export interface AssembledCore
  extends CoreClients,
    Pick<BuiltInApis, 'pool'>,
    Pick<BuiltServer, 'server' | 'flowControl'> {
  readonly index: RbacIndex;
  readonly state: ReloadableState;
  readonly controllers: ControllerOptions;
  readonly extension: CoreExtension | undefined;
  /** Built-in APIs, those of the extension included. */
  readonly apis: readonly ApiDefinition[];
}

/** Each step takes what the steps before it returned. */
export function assembleCore(config: CoreServerConfig): AssembledCore {
  const { clock = systemClock, log } = config;
  const state = new ReloadableState(config);
  const clients = buildClients(config);
  const authentication = buildAuthentication(config, clients, state);
  const authorization = buildAuthorization(config);
  const { client, informers } = clients;
  const { index, authorize: modes } = authorization;
  const extension = config.extend?.({ client, informers, clock, log, authorize: modes });
  const authorize: Authorizer = extension?.authorize?.(modes) ?? modes;
  const core = buildApis(config, { clients, authentication, authorization, authorize });
  const apis = [...core.apis, ...(extension?.apis(core.apis) ?? [])];
  const built = buildServer(config, { apis, clients, authentication, authorize, extension });
  const { server, flowControl, collectorErrors } = built;
  const { keys } = config.serviceAccounts;
  const controllers: ControllerOptions = {
    trust: () => state.trust,
    rootCa: () => state.servingCa,
    bootstrapTokens: authentication.bootstrapTokens,
    disabled: config.disabledControllers,
    onCollectorSyncError: () => collectorErrors.with().add(),
    localMetadata: server.metadataOf,
    tokenSecrets: () => ({ key: keys.signing, rootCa: state.servingCa }),
  };
  return {
    ...clients,
    server,
    flowControl,
    pool: core.pool,
    apis,
    index,
    state,
    controllers,
    extension,
  };
}
