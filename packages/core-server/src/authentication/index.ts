export { type BootstrapTokenOptions, bootstrapTokens } from './bootstrap-token.ts';
export {
  type AnonymousRules,
  type AuthenticationConfiguration,
  allowsAnonymous,
  parseAuthenticationConfiguration,
} from './jwt/configuration.ts';
export type { IssuerSettings, PrefixedClaim } from './jwt/issuer-settings.ts';
export { JwtIssuers, type JwtIssuersOptions } from './jwt/jwt-issuers.ts';
export { issuerOfFlags, type OidcFlags } from './jwt/oidc-flags.ts';
export { selfSubjectReview } from './self-subject-review.ts';
export * from './service-account/index.ts';
export {
  type TokenAuthenticatorOptions,
  type TokenSources,
  tokenAuthenticators,
} from './token-authenticators.ts';
export {
  type AudienceTokenLookup,
  audienceAgnostic,
  noOpinion,
  type TokenAuthentication,
} from './token-lookup.ts';
export { reviewToken, type TokenReviewOptions, userInfoObject } from './token-review.ts';
