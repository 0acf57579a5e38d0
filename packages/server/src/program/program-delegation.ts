/** What the flags of an extension server say of the core that it asks. */
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

export interface ProgramDelegation extends Delegation {
  /** Whether the core says whose certificates to believe; then the server's own are not. */
  readonly isTrustDelegated: boolean;
}

export interface Program {
  readonly name: string;
  readonly log: Logger;
  /** Where a pod finds its service account. */
  readonly serviceAccount?: ServiceAccountOptions;
}

/** Nothing when no flag names a core and there is none around: the server runs alone. */
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

/** What the operator says himself is not asked for. */
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

/** A pod without a service account is no place to ask from: the server then runs alone, and says so. */
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
