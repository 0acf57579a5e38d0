import type { TokenRequest, TokenReview } from '@tributary/api/authentication-v1';
import type { Secret } from '@tributary/api/core-v1';
import { type Informer, systemClock } from '@tributary/client';
import type { ApiRequest, Authentication } from '@tributary/server';
import {
  bearerTokenAuthenticator,
  inAuthenticatedGroup,
  type TokenLookup,
} from '@tributary/server/auth';
import { anonymous, RequestHeaders, Warnings } from '@tributary/server/request';
import {
  type AudienceTokenLookup,
  audienceAgnostic,
  bootstrapTokens,
  type IssueRequest,
  issueServiceAccountToken,
  legacyServiceAccountTokens,
  liveObjects,
  markLegacyTokenUsed,
  noOpinion,
  reviewToken,
  type ServiceAccountTokenOptions,
  serviceAccountTokens,
  tokenAuthenticators,
} from '../authentication/index.ts';
import { bootstrapTokenSecrets } from '../controllers/token-cleaner.ts';
import type { CoreClients } from './build-clients.ts';
import type { CoreServerConfig } from './core-config.ts';
import type { ReloadableState } from './reloadable-state.ts';

export interface CoreAuthentication {
  /** Authenticates bearer tokens of requests. */
  readonly lookUpToken: TokenLookup;
  /** Serves `serviceaccounts/token`. */
  readonly requestToken: (request: IssueRequest) => Promise<TokenRequest>;
  /** Serves TokenReview. */
  readonly reviewToken: (review: TokenReview) => Promise<TokenReview>;
  /** Secrets of bootstrap tokens; undefined when bootstrap tokens are not accepted. */
  readonly bootstrapTokens: Informer<Secret> | undefined;
}

export function buildAuthentication(
  config: CoreServerConfig,
  { client, informers }: CoreClients,
  state: ReloadableState,
): CoreAuthentication {
  const { clock = systemClock, log, serviceAccounts } = config;
  const { issuers, apiAudiences = issuers, keys, maxExpirationSeconds } = serviceAccounts;
  const common = {
    keys: () => keys,
    apiAudiences,
    live: liveObjects(client, informers),
    nowMs: () => clock.nowMs(),
  };
  const joining = config.bootstrapTokens ? bootstrapTokenSecrets(client, clock) : undefined;
  const tokens: ServiceAccountTokenOptions = {
    ...common,
    issuers,
    onLegacyTokenUse: (use) => {
      markLegacyTokenUsed(client, use).catch((error: unknown) => {
        log.error(error, 'Labeling a legacy token failed', { secret: use.name });
      });
    },
  };
  const lookup = buildTokenLookup(config, { tokens, bootstrapSecrets: joining, state });
  const issuing = {
    ...common,
    issuer: issuers[0] ?? '',
    ...(maxExpirationSeconds !== undefined && { maxExpirationSeconds }),
  };
  return {
    lookUpToken: (token) => lookup(token),
    requestToken: (request) => issueServiceAccountToken(issuing, request),
    reviewToken: (review) =>
      reviewToken({ lookup, authenticate: authenticateHeaders, apiAudiences }, review),
    bootstrapTokens: joining,
  };
}

/** All token authenticators of the configuration. */
function buildTokenLookup(
  { jwtIssuers, tokenWebhook }: CoreServerConfig,
  {
    tokens,
    bootstrapSecrets,
    state,
  }: {
    tokens: ServiceAccountTokenOptions;
    bootstrapSecrets: Informer<Secret> | undefined;
    state: ReloadableState;
  },
): AudienceTokenLookup {
  const { apiAudiences, nowMs } = tokens;
  const secret = (name: string) => bootstrapSecrets?.store.get(`kube-system/${name}`);
  return tokenAuthenticators(
    {
      staticTokens: audienceAgnostic(apiAudiences, (token) => state.tokens.get(token) ?? noOpinion),
      legacyServiceAccounts: legacyServiceAccountTokens(tokens),
      serviceAccounts: serviceAccountTokens(tokens),
      ...(bootstrapSecrets && {
        bootstrapTokens: audienceAgnostic(apiAudiences, bootstrapTokens({ secret, nowMs })),
      }),
      ...(jwtIssuers && { jwtIssuers }),
      ...(tokenWebhook && { webhook: tokenWebhook }),
    },
    { nowMs, epoch: () => state.deletedServiceAccounts },
  );
}

/** The user of a request with these headers and no client certificate. */
function authenticateHeaders(
  headers: readonly string[],
  lookup: TokenLookup,
): Promise<Authentication> | Authentication {
  const authenticate = inAuthenticatedGroup(bearerTokenAuthenticator(lookup));
  const request = {
    headers: new RequestHeaders(headers),
    warnings: new Warnings(),
    user: anonymous,
  };
  // The authenticator of bearer tokens reads no other part of a request.
  return authenticate(request as unknown as ApiRequest);
}
