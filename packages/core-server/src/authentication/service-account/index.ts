export {
  type AccountIdentity,
  accountUser,
  accountUserName,
  credentialIdKey,
  type ObjectReference,
  splitAccountUserName,
} from './account-user.ts';
export {
  type Discovery,
  type DiscoveryOptions,
  jwksPath,
  openIdConfigurationPath,
  serviceAccountDiscovery,
} from './discovery.ts';
export {
  type BoundTokenClaims,
  issueLegacyToken,
  issueToken,
  legacyIssuer,
  type TokenSigner,
} from './issue-token.ts';
export {
  type KeySet,
  type KeySetOptions,
  type SigningAlgorithm,
  type SigningKey,
  serviceAccountKeys,
  type VerificationKey,
} from './key-set.ts';
export { invalidSinceLabel, lastUsedLabel } from './legacy-token.ts';
export { liveObjects } from './live-objects.ts';
export { markLegacyTokenUsed } from './mark-legacy-token-used.ts';
export {
  type IssueRequest,
  issueServiceAccountToken,
  type TokenRequestOptions,
} from './token-request.ts';
export {
  accountNameAnnotation,
  accountUidAnnotation,
  completeTokenSecret,
  type TokenSecretAction,
  type TokenSecretOptions,
  tokenSecretType,
} from './token-secret.ts';
export type {
  AccountObject,
  BoundObject,
  LegacyTokenUse,
  LiveObjects,
  PodObject,
  SecretObject,
  ServiceAccountTokenOptions,
} from './types.ts';
export { legacyServiceAccountTokens, serviceAccountTokens } from './verify-token.ts';
