export { type FieldError, FieldPath, fieldError, root } from '@tributary/apimachinery';
export type { RequestHeaderNames } from './auth/request-header-names.ts';
export { parseTokenFile, type StaticTokens, type TokenFile } from './auth/token-file.ts';
export type { TrustSource } from './auth/trust-source.ts';
export {
  type AdmissionResult,
  type AdmissionRules,
  allow,
  type CreateReview,
  type DeleteReview,
  forbid,
  type Review,
  type UpdateReview,
} from './definition/admission.ts';
export type { ApiDefinition, ApiInput } from './definition/api.ts';
export { defineApi, defineResource, version } from './definition/author.ts';
export {
  type Backing,
  type ComputedBacking,
  type ComputedContext,
  computed,
  type StorageBacking,
  type StoredLayout,
} from './definition/backing.ts';
export type {
  Content,
  Conversion,
  ConvertedVersions,
  RemoteConversion,
} from './definition/conversion.ts';
export type { StorageHooks, VersionHooks } from './definition/hooks.ts';
export type {
  AtomicWriteSet,
  AtomicWrites,
  Deletion,
  DeletionOptions,
  LifecycleInput,
  ReadKey,
} from './definition/lifecycle.ts';
export type { Read, ResourceReader } from './definition/reads.ts';
export type {
  ObjectsByVersion,
  ResourceDefinition,
  ResourceInput,
  ResourceVerb,
  Scope,
} from './definition/resource.ts';
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
export type {
  Cell,
  Column,
  ColumnInput,
  Deprecation,
  ObjectOf,
  SelectableField,
  VersionDefinition,
} from './definition/version.ts';
export {
  type DelegatedAuthentication,
  type DelegatedAuthorization,
  type Delegation,
  type DelegationOptions,
  delegate,
} from './delegation/delegate.ts';
export {
  acceptWebSocket,
  ClientDisconnected,
  channelProtocols,
  commandChannels,
  type NumberedChannels,
  numberedChannels,
  type WebSocketChannel,
} from './http/websocket/index.ts';
export { type ParsedPolicy, parseAuditPolicy } from './operations/audit/parse-policy.ts';
export type { AuditPolicy } from './operations/audit/policy.ts';
export type { HealthCheck, HealthEndpoint } from './operations/health/health.ts';
export type { Destination } from './operations/logging/line-writer.ts';
export type { LogFields } from './operations/logging/log-entry.ts';
export type { Logger } from './operations/logging/logger.ts';
export { type RotatingFileOptions, rotatingFile } from './operations/logging/rotating-file.ts';
export * from './program/bootstrap/index.ts';
export { type RunnableOptions, runServer } from './program/run-server.ts';
export {
  type ApiServer,
  createServer,
  type Reload,
  type RunningServer,
  type ServerConfig,
} from './program/server.ts';
export * from './projection/index.ts';
export type { Authentication, Authenticator, CredentialNotes } from './request/authenticator.ts';
export type { AccessInfo, AccessRequest, Authorizer, Decision } from './request/authorizer.ts';
export type { ApiRequest, ApiResponse, Handler, UserInfo } from './request/pipeline.ts';
export type { LiveResource, LiveResources } from './routing/live/live-resources.ts';
export { rules } from './schema/rules/author-rules.ts';
export type { ValidationRule } from './schema/rules/validation-rule.ts';
