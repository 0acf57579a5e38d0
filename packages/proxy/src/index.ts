export {
  type Backend,
  type BackendAnswer,
  BackendFailure,
  type BackendRequest,
  type Backends,
  type FailureHop,
  type HearEvidence,
  ProbeTimeout,
  type UpgradeAnswer,
} from './backend/backend.ts';
export {
  type BackendConfig,
  type BackendLimits,
  type BackendServer,
  defaultBackendLimits,
} from './backend/backend-config.ts';
export { backendMetrics } from './backend/backend-metrics.ts';
export { readCaBundle } from './backend/ca-bundle.ts';
export {
  addressOf,
  explainFailure,
  isClientsFault,
  isRequestsFault,
} from './backend/explain-failure.ts';
export { mayRetry } from './backend/may-retry.ts';
export {
  type BackendsOptions,
  defaultConnectionLimits,
  openBackends,
} from './backend/open-backends.ts';
export type { Addressed, FindTargets, Target, TargetProblem, Targets } from './backend/target.ts';
export type { FrontProxyIdentity } from './backend/trust.ts';
export { answerLines, lineOf } from './forward/answer-lines.ts';
export { backendRequest } from './forward/backend-request.ts';
export { invalidStatus, noConnectionToGive, notAnUpgrade, redirected } from './forward/failures.ts';
export { identityLines, wireText } from './forward/identity-lines.ts';
export { requestBody } from './forward/lent-body.ts';
export { isPassedOnLongRunning } from './forward/long-running.ts';
export { passOn } from './forward/pass-on.ts';
export { joinConnections } from './forward/tunnel.ts';
