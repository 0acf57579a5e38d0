/** What a control plane is built from, beside the public surface. It may change with every release. */

export { bearerTokenAuthenticator, type TokenLookup } from './auth/bearer-token.ts';
export { inAuthenticatedGroup } from './auth/groups.ts';
export { standardRequestHeaders } from './auth/request-header.ts';
export { ExpiringCache } from './delegation/expiring-cache.ts';
export { FinalAuthorizerError } from './delegation/final-authorizer-error.ts';
export { type ReviewCall, reviewAuthorizer } from './delegation/review-authorizer.ts';
export { tokenReviewLookup, webhookReview } from './delegation/token-review.ts';
export { anonymous } from './filters/authentication.ts';
export type { Flow, FlowControl, Seat, WaitLimit } from './filters/flow-control.ts';
export type { LongRunningCheck } from './filters/long-running.ts';
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
export {
  type FlowControlMetrics,
  flowControlMetrics,
  TimedLevel,
} from './metrics/flow-control-metrics.ts';
export { MetricsRegistry } from './metrics/registry.ts';
export type { Engines } from './open-storage.ts';
export { auditConfig, credentialConfig, openLog, reloadCredentials } from './program-parts.ts';
export {
  isExpected,
  openStore,
  operationConfig,
  stopSignal,
  writeKubeconfig,
} from './program-run.ts';
export { storedForm } from './registry/stored-form.ts';
export { reloadFiles } from './reloaded-files.ts';
export { RequestHeaders } from './request-headers.ts';
export type { Route } from './router.ts';
export { Warnings } from './warnings.ts';
