import type { ClientConfig, HeaderList } from '@tributary/client';
import { impersonationHeaders } from '@tributary/client/credentials';
import { encodeHeaderValue } from '@tributary/proxy';
import { type Delegation, delegate, type Logger, type UserInfo } from '@tributary/server';
import { type CommonFlags, credentialConfig } from '@tributary/server/program';
import type { Access } from './access.ts';

/** Values of flags. */
export interface SharedAccessSettings extends Omit<CommonFlags, 'anonymousAuth' | 'tokenAuthFile'> {
  readonly authenticationTokenWebhookCacheTtl: number;
  readonly authorizationAlwaysAllowPaths: readonly string[];
  readonly authorizationWebhookCacheAuthorizedTtl: number;
  readonly authorizationWebhookCacheUnauthorizedTtl: number;
}

export interface SharedAccess extends Access {
  readonly delegation: Delegation;
}

/**
 * An aggregator for several users: the cluster authenticates and authorizes them, and requests are then forwarded in their
 * names. For that the user of the kubeconfig must have the permission to impersonate.
 */
export async function sharedAccess(
  flags: SharedAccessSettings,
  core: ClientConfig,
  log: Logger,
): Promise<SharedAccess> {
  const delegation = delegate({
    log,
    userAgent: 'tributary-aggregator',
    authentication: {
      core,
      trust: {
        clientCa: flags.clientCaFile === '',
        requestHeader: flags.requestheaderClientCaFile === '',
      },
      cacheTtlMs: flags.authenticationTokenWebhookCacheTtl,
    },
    authorization: {
      core,
      alwaysAllowPaths: flags.authorizationAlwaysAllowPaths,
      allowTtlMs: flags.authorizationWebhookCacheAuthorizedTtl,
      denyTtlMs: flags.authorizationWebhookCacheUnauthorizedTtl,
    },
  });
  const { authorizer, namespaces: _, ...config } = delegation.config;
  if (authorizer === undefined) throw new Error('a delegation of authorization has an authorizer');
  const all = { ...flags, tokenAuthFile: '', anonymousAuth: false };
  const { serving: __, ...credentials } = await credentialConfig(all, NO_PAIR, log);
  const lines = impersonationHeadersOf();
  return {
    config: { ...credentials, ...config, authorizer },
    subjectOf: ({ user }) => lines(user),
    delegation,
  };
}

/** A file is named. */
const NO_PAIR = { serving: { cert: '', key: '' } };

/** The cluster adds it to every impersonated user. */
const ADDED_BY_CLUSTER = 'system:authenticated';

/** The impersonation headers of a user, cached by user. */
export function impersonationHeadersOf(): (user: UserInfo) => HeaderList {
  const known = new WeakMap<UserInfo, HeaderList>();
  return (user) => {
    const before = known.get(user);
    if (before !== undefined) return before;
    const lines = linesOf(user);
    known.set(user, lines);
    return lines;
  };
}

function linesOf({ name, uid, groups, extra }: UserInfo): HeaderList {
  return impersonationHeaders({
    user: encodeHeaderValue(name),
    ...(uid !== '' && { uid: encodeHeaderValue(uid) }),
    groups: groups.filter((group) => group !== ADDED_BY_CLUSTER).map(encodeHeaderValue),
    extra: Object.fromEntries(
      Object.entries(extra).map(([key, values]) => [key, values.map(encodeHeaderValue)]),
    ),
  });
}
