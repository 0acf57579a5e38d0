/** What a control plane is built from, beside the public surface. It may change with every release. */

export { bearerTokenAuthenticator, type TokenLookup } from './auth/bearer-token.ts';
export { certificatePool } from './auth/certificate-pool.ts';
export { clientCertificateAuthenticator } from './auth/client-certificate.ts';
export { inAuthenticatedGroup } from './auth/groups.ts';
export { standardRequestHeaders } from './auth/request-header-names.ts';
export { anonymous } from './authenticator.ts';
export { accessDenied } from './authorizer.ts';
export { ExpiringCache } from './delegation/expiring-cache.ts';
export { FinalAuthorizerError } from './delegation/final-authorizer-error.ts';
export { type ReviewCall, reviewAuthorizer } from './delegation/review-authorizer.ts';
export { tokenReviewLookup, webhookReview } from './delegation/token-review.ts';
export {
  type APIResourceDiscovery,
  type APISubresourceDiscovery,
  resourcesDiscovery,
} from './discovery/aggregated.ts';
export type { APIGroup, APIResource } from './discovery/legacy.ts';
export {
  aggregatedPage,
  answerPage,
  type DiscoveryPage,
  plainPage,
  withoutTrailingSlashes,
} from './discovery/page.ts';
export { representJson } from './discovery/representation.ts';
export type { Eventually } from './eventually.ts';
export type { Flow, FlowControl, Seat, WaitLimit } from './filters/flow-control.ts';
export type { LongRunningCheck } from './filters/long-running.ts';
export { freeSeat, whenEnded } from './filters/request-context.ts';
export {
  MAX_MUTATING_REQUESTS_IN_FLIGHT,
  MAX_REQUESTS_IN_FLIGHT,
} from './filters/seats.ts';
export { commonFlagDefinitions, defineFlag, type Flag } from './flag-table.ts';
export * from './flag-values.ts';
export {
  type CommonFlags,
  type FlagDefinitions,
  type FlagValues,
  helpText,
  parseFlags,
  requireTogether,
} from './flags.ts';
export type { MetadataEvent, MetadataWatch } from './in-process/watch-metadata.ts';
export { indexAnswer, indexBytes, indexPaths, isIndex } from './index-route.ts';
export { jobThread, type ThreadAnswer, type ThreadQuestion } from './job-thread.ts';
export type { Judgement } from './judging/judgement.ts';
export { ruleJobs } from './judging/rule-jobs.ts';
export { type JudgingJobs, serveJobs } from './judging/serve-jobs.ts';
export type { ValidateContext } from './judging/validate-context.ts';
export { AnswerBroken } from './listener/drain.ts';
export type { LiveResource, LiveResources } from './live/live-resources.ts';
export { descriptorDestination } from './logging/descriptor.ts';
export { LineWriter } from './logging/line-writer.ts';
export { CounterFamily, GaugeFamily, HistogramFamily } from './metrics/family.ts';
export {
  type FlowControlMetrics,
  flowControlMetrics,
  TimedLevel,
} from './metrics/flow-control-metrics.ts';
export { MetricsRegistry } from './metrics/registry.ts';
export { requestLabels } from './metrics/request-labels.ts';
export { parseAccept } from './negotiation.ts';
export type { Engines } from './open-storage.ts';
export { indexV3 } from './openapi/document-v3.ts';
export { type FollowingOptions, followingDocuments } from './openapi/following-documents.ts';
export type { Form } from './openapi/kept-form.ts';
export {
  type DocumentsV3,
  type LocalDocuments,
  lazyDocuments,
} from './openapi/local-documents.ts';
export {
  answerIndexV3,
  answerV2,
  answerV3,
  jsonForm,
  PROTOBUF_V3,
  type Published,
  protobufFormV2,
  protobufFormV3,
  publishJson,
} from './openapi/published.ts';
export type { HeaderList } from './pipeline.ts';
export { type StandalonePki, standalonePki } from './pki/standalone.ts';
export { auditConfig, credentialConfig, openLog, reloadCredentials } from './program-parts.ts';
export {
  CONTROL_PIPE,
  endProgram,
  isExpected,
  openStore,
  operationConfig,
  stopSignal,
  writeKubeconfig,
} from './program-run.ts';
export { storedForm } from './registry/stored-form.ts';
export { reloadFiles } from './reloaded-files.ts';
export { RequestHeaders } from './request-headers.ts';
export type { UndescribedVersion } from './resource.ts';
export { textResponse } from './respond.ts';
export type { ResourcePlace } from './route-table.ts';
export { oneRoute, type Route } from './router.ts';
export type { JsonSchema } from './schema/json-schema.ts';
export { type DefaultsOptions, judgeDefaults } from './schema/judge-default.ts';
export { pruneObject } from './schema/prune.ts';
export { isRecognizedFormat, patternError } from './schema/recognized.ts';
export { type CompileRulesOptions, compileRules, hasRules } from './schema/rules/compile-rules.ts';
export type { CompiledRules, RuleProblem, RuleRunOptions } from './schema/rules/compiled-rules.ts';
export { ruleDeclarationErrors } from './schema/rules/rule-declaration.ts';
export { ruleFieldPath } from './schema/rules/rule-field-path.ts';
export { ERRORS_MAX } from './schema/walk.ts';
export { type ObjectSchema, rootSchema } from './schema.ts';
export { whenSettled } from './settle.ts';
export { ServerStopping } from './shutdown.ts';
export { catchUncaughtErrors, type UncaughtErrors } from './uncaught-errors.ts';
export { type LabelSelectorTerms, labelSelectorText } from './verbs/label-selector-text.ts';
export { patchTypes } from './verbs/patch-documents.ts';
export { Warnings } from './warnings.ts';
export { asBeforeYoungRequests, keepRequestsYoung } from './young-requests.ts';
