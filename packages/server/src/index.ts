export { type FieldError, FieldPath, fieldError, root } from '@tributary/apimachinery';
export { type ApiDefinition, type ApiInput, defineApi } from './api.ts';
export { type ParsedPolicy, parseAuditPolicy } from './audit/parse-policy.ts';
export type { AuditPolicy } from './audit/policy.ts';
export type { RequestHeaderNames } from './auth/request-header-names.ts';
export { parseTokenFile, type StaticTokens, type TokenFile } from './auth/token-file.ts';
export type { TrustSource } from './auth/trust-source.ts';
export type { Authentication, Authenticator, CredentialNotes } from './authenticator.ts';
export type { AccessInfo, AccessRequest, Authorizer, Decision } from './authorizer.ts';
export * from './bootstrap/index.ts';
export {
  type AdmissionRules,
  allow,
  type CreateReview,
  type DeleteReview,
  forbid,
  type Review,
  type UpdateReview,
  type Verdict,
} from './definition/admission.ts';
export type {
  Content,
  Conversion,
  ConvertedVersions,
  RemoteConversion,
} from './definition/conversion.ts';
export {
  type ComputedContext,
  type ComputedHome,
  computed,
  type Home,
  type StorageHome,
  type StoredLayout,
} from './definition/home.ts';
export type { StorageHooks, VersionHooks } from './definition/hooks.ts';
export type {
  Alongside,
  AlongsideWrites,
  Deletion,
  DeletionWish,
  LifecycleInput,
  Look,
} from './definition/lifecycle.ts';
export type { Read, Reads } from './definition/reads.ts';
export type {
  ActionInput,
  ActionRemoval,
  ActionRequest,
  ActionWrite,
  ConnectInput,
  ConnectRequest,
  MissingRequest,
  PartInput,
  PartVerb,
  ScalePaths,
  SubresourcesInput,
} from './definition/subresource.ts';
export {
  type Cell,
  type Column,
  type ColumnInput,
  type Deprecation,
  type ObjectOf,
  type SelectableField,
  type VersionDefinition,
  version,
} from './definition/version.ts';
export {
  type DelegatedAuthentication,
  type DelegatedAuthorization,
  type Delegation,
  type DelegationOptions,
  delegate,
} from './delegation/delegate.ts';
export type { HealthCheck, HealthEndpoint } from './health.ts';
export type { LiveResource, LiveResources } from './live/live-resources.ts';
export type { Destination } from './logging/line-writer.ts';
export type { LogFields } from './logging/log-entry.ts';
export type { Logger } from './logging/logger.ts';
export { type RotatingFileOptions, rotatingFile } from './logging/rotating-file.ts';
export type { ApiRequest, ApiResponse, Handler, UserInfo } from './pipeline.ts';
export * from './projection/index.ts';
export type { StoredAs } from './resource.ts';
export {
  defineResource,
  type Gate,
  type ObjectsByVersion,
  type ResourceDefinition,
  type ResourceInput,
  type ResourceVerb,
  type Scope,
} from './resource.ts';
export { type RunnableOptions, runServer } from './run-server.ts';
export { rules } from './schema/rules/author-rules.ts';
export type { ValidationRule } from './schema/rules/validation-rule.ts';
export { type GoPackage, goPackage } from './schema/typed/go-package.ts';
export { noticingEmptyMaps } from './schema/typed/noticed-maps.ts';
export { type TypedKind, typedKind, typedWith } from './schema/typed/typed-kind.ts';
export {
  type ApiServer,
  createServer,
  type Reload,
  type RunningServer,
  type ServerConfig,
} from './server.ts';
export {
  acceptWebSocket,
  ClientGone,
  channelProtocols,
  commandChannels,
  type NumberedChannels,
  numberedChannels,
  type WebSocketChannel,
} from './websocket/index.ts';
