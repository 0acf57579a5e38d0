/** Delegation to a core server, from the flags of an extension API server. */
import {
  type ClientConfig,
  inClusterConfig,
  isInCluster,
  KubeconfigError,
  loadConfig,
  type ServiceAccountOptions,
} from '@tributary/client';
import { type Delegation, type DelegationOptions, delegate } from '../delegation/delegate.ts';
import type { Logger } from '../operations/logging/logger.ts';
import { FlagError, type ServerFlags } from './flags.ts';

interface ProgramDelegation extends Delegation {
  /** Whether the core server publishes the trusted CAs; then local ones are not trusted. */
  readonly isTrustDelegated: boolean;
}

export interface Program {
  readonly name: string;
  readonly log: Logger;
  /** The service account of the pod. Default: the mounted one. */
  readonly serviceAccount?: ServiceAccountOptions;
}

/** Undefined when neither a flag nor the pod names a core server: the server runs alone. */
export async function openDelegation(
  flags: ServerFlags,
  { name, log, serviceAccount }: Program,
): Promise<ProgramDelegation | undefined> {
  const pod = await podConfig(log, serviceAccount);
  const configs = new Map<string, ClientConfig>();
  const coreOf = async (flag: string, file: string): Promise<ClientConfig | undefined> => {
    if (file === '') return pod;
    const config = configs.get(file) ?? (await readKubeconfig(flag, file));
    configs.set(file, config);
    return config;
  };
  const namespaces = await coreOf('kubeconfig', flags.kubeconfig);
  const users = await coreOf('authentication-kubeconfig', flags.authenticationKubeconfig);
  const permissions = await coreOf('authorization-kubeconfig', flags.authorizationKubeconfig);
  if (namespaces === undefined && users === undefined && permissions === undefined) return;
  const delegation = delegate({
    log,
    userAgent: name,
    ...(users && { authentication: authenticationOf(users, flags) }),
    ...(permissions && { authorization: authorizationOf(permissions, flags) }),
    ...(namespaces && { namespaces }),
  });
  return { ...delegation, isTrustDelegated: users !== undefined };
}

/** Configuration from flags is not read from the core server. */
function authenticationOf(
  core: ClientConfig,
  flags: ServerFlags,
): NonNullable<DelegationOptions['authentication']> {
  const isAsked = !flags.authenticationSkipLookup;
  return {
    core,
    trust: {
      clientCa: isAsked && flags.clientCaFile === '',
      requestHeader: isAsked && flags.requestheaderClientCaFile === '',
    },
    tolerateLookupFailure: flags.authenticationTolerateLookupFailure,
    cacheTtlMs: flags.authenticationTokenWebhookCacheTtl,
  };
}

function authorizationOf(
  core: ClientConfig,
  flags: ServerFlags,
): NonNullable<DelegationOptions['authorization']> {
  return {
    core,
    alwaysAllowPaths: flags.authorizationAlwaysAllowPaths,
    allowTtlMs: flags.authorizationWebhookCacheAuthorizedTtl,
    denyTtlMs: flags.authorizationWebhookCacheUnauthorizedTtl,
  };
}

async function readKubeconfig(flag: string, file: string): Promise<ClientConfig> {
  try {
    return await loadConfig({ kubeconfig: file });
  } catch (error) {
    if (!(error instanceof KubeconfigError)) throw error;
    throw new FlagError(`--${flag} ${error.message}`);
  }
}

/** A pod without a service account cannot call the core server: the server runs alone, and logs that. */
async function podConfig(
  log: Logger,
  options: ServiceAccountOptions = {},
): Promise<ClientConfig | undefined> {
  if (!isInCluster(options)) return undefined;
  try {
    return await inClusterConfig(options);
  } catch (error) {
    if (!(error instanceof KubeconfigError)) throw error;
    log.info('Ignoring the cluster: no service account', {
      err: error.message,
    });
    return undefined;
  }
}
