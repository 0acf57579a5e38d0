/** What a control plane is built from, beside the public surface. It may change with every release. */

export { bearerTokenAuthenticator, type TokenLookup } from './auth/bearer-token.ts';
export { certificatePool } from './auth/certificate-pool.ts';
export { clientCertificateAuthenticator } from './auth/client-certificate.ts';
export { inAuthenticatedGroup } from './auth/groups.ts';
export { standardRequestHeaders } from './auth/request-header-names.ts';
export { storedForm } from './conversion/stored-form.ts';
export type { UndescribedVersion } from './definition/resource.ts';
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
export type { Flow, FlowControl, Seat, WaitLimit } from './filters/flow-control.ts';
export {
  MAX_MUTATING_REQUESTS_IN_FLIGHT,
  MAX_REQUESTS_IN_FLIGHT,
} from './filters/seats.ts';
export type { MetadataEvent, MetadataWatch } from './http/in-process/watch-metadata.ts';
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
export { descriptorDestination } from './operations/logging/descriptor.ts';
export { LineWriter } from './operations/logging/line-writer.ts';
export { CounterFamily, GaugeFamily, HistogramFamily } from './operations/metrics/family.ts';
export {
  type FlowControlMetrics,
  flowControlMetrics,
  TimedLevel,
} from './operations/metrics/flow-control-metrics.ts';
export { MetricsRegistry } from './operations/metrics/registry.ts';
export { requestLabels } from './operations/metrics/request-labels.ts';
export { ServerStopping } from './operations/shutdown.ts';
export { catchUncaughtErrors, type UncaughtErrors } from './operations/uncaught-errors.ts';
export { type StandalonePki, standalonePki } from './pki/standalone.ts';
export { commonFlagDefinitions, defineFlag, type Flag } from './program/flag-table.ts';
export * from './program/flag-values.ts';
export {
  type CommonFlags,
  type FlagDefinitions,
  type FlagValues,
  helpText,
  parseFlags,
  requireTogether,
} from './program/flags.ts';
export type { Engines } from './program/open-storage.ts';
export {
  auditConfig,
  credentialConfig,
  openLog,
  reloadCredentials,
} from './program/program-parts.ts';
export {
  CONTROL_PIPE,
  endProgram,
  isExpected,
  openStore,
  operationConfig,
  stopSignal,
  writeKubeconfig,
} from './program/program-run.ts';
export { reloadFiles } from './program/reloaded-files.ts';
export { asBeforeYoungRequests, keepRequestsYoung } from './program/young-requests.ts';
export { anonymous } from './request/authenticator.ts';
export { accessDenied } from './request/authorizer.ts';
export { AnswerBroken } from './request/connection-errors.ts';
export type { LongRunningCheck } from './request/long-running.ts';
export type { Eventually } from './request/maybe-promise.ts';
export { parseAccept } from './request/negotiation.ts';
export type { HeaderList } from './request/pipeline.ts';
export { freeSeat, whenEnded } from './request/request-context.ts';
export { RequestHeaders } from './request/request-headers.ts';
export { textResponse } from './request/respond.ts';
export { whenSettled } from './request/settle.ts';
export { Warnings } from './request/warnings.ts';
export { indexAnswer, indexBytes, indexPaths, isIndex } from './routing/index-route.ts';
export type { LiveResource, LiveResources } from './routing/live/live-resources.ts';
export type { ResourcePlace } from './routing/route-table.ts';
export { oneRoute, type Route } from './routing/router.ts';
export type { JsonSchema } from './schema/json-schema.ts';
export { type DefaultsOptions, judgeDefaults } from './schema/judge-default.ts';
export { type ObjectSchema, rootSchema } from './schema/object-schema.ts';
export { pruneObject } from './schema/prune.ts';
export { isRecognizedFormat, patternError } from './schema/recognized.ts';
export { type CompileRulesOptions, compileRules, hasRules } from './schema/rules/compile-rules.ts';
export type { CompiledRules, RuleProblem, RuleRunOptions } from './schema/rules/compiled-rules.ts';
export { ruleDeclarationErrors } from './schema/rules/rule-declaration.ts';
export { ruleFieldPath } from './schema/rules/rule-field-path.ts';
export { ERRORS_MAX } from './schema/walk.ts';
export { jobThread, type ThreadAnswer, type ThreadQuestion } from './validation/job-thread.ts';
export { ruleJobs } from './validation/rule-jobs.ts';
export { type JudgingJobs, serveJobs } from './validation/serve-jobs.ts';
export type { ValidateContext } from './validation/validate-context.ts';
export type { Judgement } from './validation/validation-result.ts';
export { type LabelSelectorTerms, labelSelectorText } from './verbs/label-selector-text.ts';
export { patchTypes } from './verbs/patch-documents.ts';
