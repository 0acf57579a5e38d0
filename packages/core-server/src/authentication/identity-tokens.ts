import type { Secret } from '@tributary/api/core-v1';
import type { StaticTokens } from '@tributary/server';
import type { TokenLookup } from '@tributary/server/auth';
import {
  type AudienceTokenLookup,
  audienceAgnostic,
  bootstrapTokens,
  type KeySet,
  type LegacyTokenUse,
  type LiveObjects,
  legacyServiceAccountTokens,
  serviceAccountTokens,
  tokenAuthenticators,
} from './index.ts';

export interface IdentityTokensOptions {
  readonly keys: () => KeySet;
  /** The first signs, all are believed. */
  readonly issuers: readonly string[];
  readonly apiAudiences: readonly string[];
  readonly live: LiveObjects;
  readonly nowMs: () => number;
  /** Of `--token-auth-file`, as it is now. */
  readonly staticTokens: () => StaticTokens;
  /** Secrets of `kube-system` by name; absent when tokens of nodes that join are not believed. */
  readonly bootstrapSecret?: (name: string) => Secret | undefined;
  readonly jwtIssuers?: AudienceTokenLookup;
  readonly webhook?: AudienceTokenLookup;
  /** Changes when an account is gone. */
  readonly epoch?: () => number;
  readonly onLegacyTokenUse?: (use: LegacyTokenUse) => void;
}

/** Every token that a control plane knows. */
export function identityTokens(options: IdentityTokensOptions): {
  readonly lookup: AudienceTokenLookup;
  /** For requests: the token must be for this server. */
  readonly ofRequests: TokenLookup;
} {
  const { apiAudiences, staticTokens, nowMs, bootstrapSecret, jwtIssuers, webhook } = options;
  const noOpinion = { outcome: 'no-opinion' } as const;
  const lookup = tokenAuthenticators(
    {
      staticTokens: audienceAgnostic(
        apiAudiences,
        (token) => staticTokens().get(token) ?? noOpinion,
      ),
      legacyServiceAccounts: legacyServiceAccountTokens(options),
      serviceAccounts: serviceAccountTokens(options),
      ...(bootstrapSecret && {
        bootstrapTokens: audienceAgnostic(
          apiAudiences,
          bootstrapTokens({ secret: bootstrapSecret, nowMs }),
        ),
      }),
      ...(jwtIssuers && { jwtIssuers }),
      ...(webhook && { webhook }),
    },
    { nowMs, ...(options.epoch && { epoch: options.epoch }) },
  );
  return { lookup, ofRequests: (token) => lookup(token) };
}
